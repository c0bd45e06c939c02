package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// areas are the ISO codes of countries by other codes and names, and the M49 codes of
// groups by name.
var areas map[string]string

// readAreas reads the lists of the test data: ISO 3166-1 alpha-3, M49, English names, short
// and official; and adds names that only some offices use.
func readAreas(t *testing.T) map[string]string {
	t.Helper()
	areas := map[string]string{}
	read := func(file, code string, names ...string) {
		data, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "geo", file))
		if err != nil {
			t.Fatal(err)
		}
		g := comma(t, data)
		for _, r := range records(g, 0) {
			for _, name := range names {
				areas[areaName(r.get(name))] = r.get(code)
			}
		}
	}
	for _, level := range []string{"Region", "Sub-region", "Intermediate Region", "Global"} {
		read("UNSD-M49-en.csv", level+" Code", level+" Name")
	}
	read("country-codes.csv", "ISO3166-1-Alpha-2", "CLDR display name", "official_name_en", "UNTERM English Short", "UNTERM English Formal", "ISO3166-1-Alpha-3", "M49")
	for name, code := range areaList("", furtherNames) {
		areas[areaName(name)] = code
	}
	return areas
}

func areaName(text string) string {
	return strings.TrimLeft(strings.TrimPrefix(strings.ToLower(text), "the "), "0")
}

// country returns the areas of a column of countries; groups of M49 have the name of the
// office before their code.
func country(name, office string) func(record) string {
	return func(r record) string {
		area, ok := areas[office+":"+areaName(r.get(name))]
		if !ok {
			area = areas[areaName(r.get(name))]
		}
		if isGroup := area != "" && strings.Trim(area, "0123456789") == ""; isGroup && office == "" {
			area = ""
		} else if isGroup {
			area = office + ":" + area
		}
		return areaText(area, r.get(name))
	}
}

// furtherNames are names and codes that the lists do not have; an office before a name is
// the one that means this.
const furtherNames = `XK XKX
XK Kosovo
SU SUN
SU 810
SU USSR
YU YUG
YU 890
YU Yugoslav SFR
YD 720
AN 530
AN Netherlands Antilles (former)
NO 579
CG Congo (Brazzaville)
CD Congo (Kinshasa)
CI Cote d'Ivoire
CI Côte d'Ivoire
CI Republic of Côte d'Ivoire
KN St. Kitts and Nevis
VC St. Vincent and the Grenadines
TR Turkey
TR Republic of Turkey
GB United Kingdom
US United States
NP Federal Democratic Republic of Nepal
GY Republic of Guyana
NU Republic of Niue
SD Republic of Sudan
TW Taiwan (Province of China)
TW China, Taiwan Province of
MO China, Macao SAR
HK China, Hong Kong SAR
CN China, mainland
NL Netherlands (Kingdom of the)
KR Korea (Republic of)
KP Korea (Democratic People's Rep. of)
MK The former Yugoslav Republic of Macedonia
MD Moldova (Republic of)
PS Palestine, State of
SZ Eswatini (Kingdom of)
TZ Tanzania (United Republic of)
CD Congo (Democratic Republic of the)
PN Pitcairn Islands
SH Saint Helena, Ascension and Tristan da Cunha
PS Occupied Palestinian Territory
FK Falkland Islands (Malvinas)
TF French Southern and Antarctic Territories
941 unsd:Least Developed Countries
1637 unsd:Small Island Developing States
1835 unsd:Oceania excluding Australia and New Zealand
159 fao:China
057 fao:Micronesia
058 fao:Belgium-Luxembourg
830 fao:Channel Islands
200 fao:Czechoslovakia
230 fao:Ethiopia PDR
582 fao:Pacific Islands Trust Territory
891 fao:Serbia and Montenegro
736 fao:Sudan (former)`

// areaList returns codes by names, from lines of codes and names.
func areaList(prefix, text string) map[string]string {
	areas := map[string]string{}
	for line := range strings.Lines(text) {
		if code, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			areas[name] = prefix + code
		}
	}
	return areas
}

var spanishRegions = areaList("ES-", `AN 01 Andalucía
AR 02 Aragón
AS 03 Asturias, Principado de
IB 04 Balears, Illes
CN 05 Canarias
CB 06 Cantabria
CL 07 Castilla y León
CM 08 Castilla - La Mancha
CT 09 Cataluña
VC 10 Comunitat Valenciana
EX 11 Extremadura
GA 12 Galicia
MD 13 Madrid, Comunidad de
MC 14 Murcia, Región de
NC 15 Navarra, Comunidad Foral de
PV 16 País Vasco
RI 17 Rioja, La
CE 18 Ceuta
ML 19 Melilla`)

// mexicanStates are the states of Mexico without México, which is the country as well.
var mexicanStates = areaList("MX-", `AGU Aguascalientes
BCN Baja California
BCS Baja California Sur
CAM Campeche
COA Coahuila de Zaragoza
COL Colima
CHP Chiapas
CHH Chihuahua
CMX Ciudad de México
DUR Durango
GUA Guanajuato
GRO Guerrero
HID Hidalgo
JAL Jalisco
MIC Michoacán de Ocampo
MOR Morelos
NAY Nayarit
NLE Nuevo León
OAX Oaxaca
PUE Puebla
QUE Querétaro
ROO Quintana Roo
SLP San Luis Potosí
SIN Sinaloa
SON Sonora
TAB Tabasco
TAM Tamaulipas
TLA Tlaxcala
VER Veracruz de Ignacio de la Llave
YUC Yucatán
ZAC Zacatecas`)

var chineseProvinces = areaList("CN-", `BJ 北京市
TJ 天津市
HE 河北省
SX 山西省
NM 内蒙古自治区
LN 辽宁省
JL 吉林省
HL 黑龙江省
SH 上海市
JS 江苏省
ZJ 浙江省
AH 安徽省
FJ 福建省
JX 江西省
SD 山东省
HA 河南省
HB 湖北省
HN 湖南省
GD 广东省
GX 广西壮族自治区
HI 海南省
CQ 重庆市
SC 四川省
GZ 贵州省
YN 云南省
XZ 西藏自治区
SN 陕西省
GS 甘肃省
QH 青海省
NX 宁夏回族自治区
XJ 新疆维吾尔自治区`)

var germanStates = areaList("DE-", `BW Baden-Württemberg
BY Bayern
BE Berlin
BB Brandenburg
HB Bremen
HH Hamburg
HE Hessen
MV Mecklenburg-Vorpommern
NI Niedersachsen
NW Nordrhein-Westfalen
RP Rheinland-Pfalz
SL Saarland
SN Sachsen
ST Sachsen-Anhalt
SH Schleswig-Holstein
TH Thüringen`)

// hungarianCounties are the counties of Hungary without Veszprém, which is a town as well.
var hungarianCounties = areaList("HU-", `BU Budapest
PE Pest
FE Fejér
KE Komárom-Esztergom
GS Győr-Moson-Sopron
VA Vas
ZA Zala
BA Baranya
SO Somogy
TO Tolna
BZ Borsod-Abaúj-Zemplén
HE Heves
NO Nógrád
HB Hajdú-Bihar
JN Jász-Nagykun-Szolnok
SZ Szabolcs-Szatmár-Bereg
BK Bács-Kiskun
BE Békés
CS Csongrád-Csanád`)

// americanStates are the states of the United States, the country and Puerto Rico.
var americanStates = func() map[string]string {
	areas := areaList("US-", `AL Alabama
AK Alaska
AZ Arizona
AR Arkansas
CA California
CO Colorado
CT Connecticut
DE Delaware
DC District of Columbia
FL Florida
GA Georgia
HI Hawaii
ID Idaho
IL Illinois
IN Indiana
IA Iowa
KS Kansas
KY Kentucky
LA Louisiana
ME Maine
MD Maryland
MA Massachusetts
MI Michigan
MN Minnesota
MS Mississippi
MO Missouri
MT Montana
NE Nebraska
NV Nevada
NH New Hampshire
NJ New Jersey
NM New Mexico
NY New York
NC North Carolina
ND North Dakota
OH Ohio
OK Oklahoma
OR Oregon
PA Pennsylvania
RI Rhode Island
SC South Carolina
SD South Dakota
TN Tennessee
TX Texas
UT Utah
VT Vermont
VA Virginia
WA Washington
WV West Virginia
WI Wisconsin
WY Wyoming`)
	areas["United States"], areas["Puerto Rico"] = "US", "PR"
	return areas
}()

var canadianProvinces = areaList("", `CA Canada
CA-NL Newfoundland and Labrador
CA-PE Prince Edward Island
CA-NS Nova Scotia
CA-NB New Brunswick
CA-QC Quebec
CA-ON Ontario
CA-MB Manitoba
CA-SK Saskatchewan
CA-AB Alberta
CA-BC British Columbia`)
