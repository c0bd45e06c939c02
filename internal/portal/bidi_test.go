package portal

import "testing"

// Words in a script that is written from right to left do not change the order of what is beside them.
func TestIsolate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Germany 2018–2021", "Germany 2018–2021"},
		{"R&D <b>", "R&amp;D &lt;b&gt;"},
		{"the highest is الأردن (35.5)", "the highest is <bdi>الأردن</bdi> (35.5)"},
		{"معدل البطالة, 2018–2021", "<bdi>معدل البطالة</bdi>, 2018–2021"},
		{"الأردن, ישראל: 2", "<bdi>الأردن</bdi>, <bdi>ישראל</bdi>: 2"},
		{"مصر & <", "<bdi>مصر</bdi> &amp; &lt;"},
	} {
		if got := string(isolate(c.text)); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.text, got, c.want)
		}
	}
}
