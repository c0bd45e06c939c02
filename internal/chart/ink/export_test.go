package ink
import "almanac/internal/chart/scene"
var Scenes = map[string]*scene.Scene{}
