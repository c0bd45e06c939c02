package portal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/database"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/portal"
)

// TestMessagesWithTexts compares the texts of failures in English with the sources of the service: it writes these messages.
func TestMessagesWithTexts(t *testing.T) {
	var sources strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		sources.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`; list the values, or select them with| has no dimensions other than geography and time|; choose a series by the dimensions of the dataset|must be an integer, such as|, not the string|its dimensions list the areas that it has|\{[a-z]+\}|"|\borganisation\b|of the key\b| is not `) // also what the service fills in that does not vary here
	n := 0
	for key, forms := range readTexts(t, "texts/en.json") {
		if !strings.HasPrefix(key, "failure.") {
			continue
		}
		n++
		for _, part := range variable.Split(forms["other"], -1) {
			if part = strings.TrimSpace(part); !strings.Contains(sources.String(), part) {
				t.Errorf("%s: the service does not write %q", key, part)
			}
		}
	}
	if n < 50 {
		t.Errorf("there are texts for %d messages", n)
	}
}

// Remarks on a question are in the language of the page, with the names of areas.
func TestRemarksOnQuestions(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ query, language, shows string }{
		{"q=unemploymet", "fr", "Aucun jeu de données ne contient « unemploymet » ; voici les résultats pour « unemployment »"},
		{"q=unemploymet", "de", "Kein Datensatz hat „unemploymet“; gezeigt wird „unemployment“"},
		{"q=zzzzzz", "es", "Ningún conjunto de datos tiene «zzzzzz» en un título"},
		{"q=population&frequency=D", "de", "Kein Datensatz, den die Frage findet, passt zu den Filtern (Periodizität); ohne sie findet sie"},
		{"q=a*", "fr", "« a* » a trop peu de lettres"},
		{"q=rate&area=Xyzzy", "de", "„Xyzzy“ ist kein Code oder Name eines Gebiets"},
		{"q=rate&source=eurostatt", "fr", "« eurostatt » n’est pas une source"},
		{"q=rate&frequency=often", "es", "«often» no es una frecuencia"},
		{"q=rate&topic=fishh", "de", "„fishh“ ist kein Code oder Name eines Themas"},
		{"q=population+Georgia", "fr", "« Georgia » est compris comme Géorgie [GE] ; pour Georgia, États-Unis [US-GA], du même nom"},
		{"q=population+Georgia", "en", "\"Georgia\" is taken to mean Georgia [GE]"},
		{"q=the+of", "de", "etwa Artikel"},
	} {
		root := openPage(t, base+"/search?"+c.query+"&lang="+c.language)
		found := slices.ContainsFunc(withClass(root, "p", "note"), func(n *html.Node) bool {
			return strings.Contains(textOf(n), c.shows)
		})
		if !found {
			var notes []string
			for _, n := range withClass(root, "p", "note") {
				notes = append(notes, textOf(n))
			}
			t.Errorf("%s in %s does not show %q: %q", c.query, c.language, c.shows, notes)
		}
		for _, n := range withClass(root, "p", "note") {
			if len(elements(n, "span", "lang=en")) > 0 {
				t.Errorf("%s in %s has a remark in English: %s", c.query, c.language, textOf(n))
			}
		}
	}
}

// Forms that cannot be accepted say why in the language of the page.
func TestRefusedFormsInLanguages(t *testing.T) {
	db, err := notice.Open(t.Context(), database.Location{Dir: t.TempDir()}, [notice.KeyLength]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	o := openOffice(t, func(p *portal.Options) { p.Notices = db })
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	ann := o.newReader(t)
	in := func(language string) { ann.open("/set?lang=" + language + "&to=/") }
	in("fr")
	ann.post(invitation, "name", "Ann", "password", "short").want(400, invitation, "Le mot de passe demande au moins 15 caractères, et non 5")
	in("de")
	ann.post(invitation, "name", "", "password", somePassword).want(400, invitation, "Der Name muss 1 bis 100 lesbare Zeichen haben")
	in("es")
	ann.post(invitation, "name", "Ann", "password", "ann@example.org").want(400, invitation, "La contraseña se compone de lo que se adivina primero")
	ann.post(invitation, "name", "Ann", "password", somePassword).want(200, "/account")
	in("fr")
	ann.post("/account", "do", "invite", "mail", "bob").want(400, "/account", "« bob » n’est pas une adresse électronique")
	ann.post("/account", "do", "leave").want(409, "/account", "Une organisation a besoin d’un propriétaire")
	ann.post("/account/password", "password", somePassword, "new", "short").want(400, "/account/password", "Le mot de passe demande")
	ann.post("/account/keys/new", "expires", "soon").want(400, "/account/keys/new", "« soon » n’est pas un jour")
	ann.post("/account/keys/new", "expires", "2020-01-31").want(400, "/account/keys/new", "ne peut pas expirer")
	ann.post("/account/webhooks", "do", "add", "address", "nowhere").want(400, "/account/webhooks", "« nowhere » n’est pas l’adresse d’un serveur web")
	ann.post("/account", "do", "unfollow", "dataset", "1").want(404, "/account", "Votre organisation ne suit pas le jeu de données 1")
	ann.open("/account/follow?dataset=99").want(404, "/account/follow", "Le jeu de données 99 n’existe pas")
	ann.open("/join/nothing").want(404, "/join/nothing", "Ce lien n’est pas utilisable")
}

// Pages of addresses with a mistake say so in the language of the page, and the parameter as it is in the address. The words of the
// interface itself are below, as it wrote them.
func TestMistakesInLanguages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ address, language, want string }{
		{"/datasets/x", "de", "„x“ ist kein Datensatz"},
		{"/datasets/007", "fr", "Le numéro d’un jeu de données ne commence pas par des zéros : 7"},
		{"/datasets/1/une_rt_a/versions?a=1.0&b=7", "de", "Der Parameter b muss eine Version wie 1.3"},
		{"/datasets/1/une_rt_a/versions?a=seven&b=1.0", "es", "El parámetro a debe ser una versión como 1.3"},
		{"/datasets/1/une_rt_a/versions?a=1.0&b=1.0&kind=odd", "fr", "Le paramètre kind doit être added, revised ou removed"},
		{"/datasets/1/une_rt_a?version=seven", "fr", "Le paramètre version doit être le numéro d’une version"},
		{"/datasets/1/une_rt_a?as_of=soon", "de", "Der Parameter as_of muss ein Datum wie 2026-01-31"},
		{"/datasets/1/une_rt_a?as_of=1999-01-01", "es", "El conjunto de datos 1 no tenía versión en ese momento (1 ene. 1999, 23:59 UTC)"},
		{"/datasets/1/une_rt_a?as_of=2026-01-01&version=1.0", "de", "Version und as_of wählen beide eine Version"},
		{"/datasets/1/une_rt_a?dim7=x", "fr", "Paramètre inconnu dim7"},
		{"/datasets/5/sp.pop.totl?dim1=x", "de", "Unbekannter Parameter dim1"},
		{"/datasets/1/une_rt_a?below.dim4=T", "es", "El parámetro below.dim4 no sirve"},
		{"/datasets/2/eurofxref?view=map&dim1=USD", "de", "Kein Gebiet dieser Auswahl hat einen Umriss auf der Karte."},
	} {
		got := ask(t, "GET", base+c.address, "Accept-Language: "+c.language)
		if to := got.Header.Get("Location"); to != "" {
			got = ask(t, "GET", base+to, "Accept-Language: "+c.language)
		}
		main := elements(parse(t, got.body), "main")[0]
		if text := textOf(main); !strings.Contains(text, c.want) {
			t.Errorf("%s in %s (%d) does not say %q: %.700s", c.address, c.language, got.StatusCode, c.want, text)
		}
	}
}
