package ink_test
import "almanac/internal/chart/ink"
func init(){ for _,k:=range kinds { ink.Scenes[k.name]=k.of(1200,675); ink.Scenes[k.name+"-s"]=k.of(600,340)} }
