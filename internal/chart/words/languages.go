package words

import "strings"

// The languages. Months, patterns of dates and forms of numbers are those of the Unicode
// CLDR 48: abbreviated months in a date, patterns yMMM and yMMMd, short powers of ten.
// Arabic has the digits 0 to 9, CLDR's default for "ar" without a country. CLDR has no
// half-years and no short weeks of a year; these and quarters are as the languages'
// statistical offices write them. So are powers of ten in French and Italian: their offices
// count in milliards and miliardi whatever the amount, because "Bn" and "Bln" are read as 10⁹.

var english = Language{
	Code: "en", separator: ", ", hasISODays: true,
	months:  strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
	period:  periods{half: "HN/Y", quarter: "QN/Y", month: "M Y", week: "WZ/Y", day: "D M Y", span: "–"},
	numbers: numerals{group: ",", point: ".", minGrouped: 4, percent: "%", powers: []Power{{12, " trillion", "trillions"}, {9, " billion", "billions"}, {6, " million", "millions"}}},
}

var german = Language{
	Code: "de", separator: ", ",
	months:  strings.Fields("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
	period:  periods{half: "N. Hj. Y", quarter: "QN Y", month: "M Y", week: "KW N/Y", day: "D. M Y", span: "–"},
	numbers: numerals{group: ".", point: ",", minGrouped: 4, percent: "\u00a0%", signLast: true, powers: []Power{{12, "\u00a0Bio.", "Billionen"}, {9, "\u00a0Mrd.", "Milliarden"}, {6, "\u00a0Mio.", "Millionen"}}},
}

var french = Language{
	Code: "fr", separator: ", ",
	months:  strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
	period:  periods{half: "SN Y", quarter: "TN Y", month: "M Y", week: "sem. N Y", day: "D M Y", span: "–"},
	numbers: numerals{group: "\u202f", point: ",", minGrouped: 4, percent: "\u202f%", signLast: true, powers: []Power{{9, "\u00a0Md", "milliards"}, {6, "\u00a0M", "millions"}}},
}

var spanish = Language{
	Code: "es", separator: ", ",
	months:  strings.Fields("ene feb mar abr may jun jul ago sept oct nov dic"),
	period:  periods{half: "SN Y", quarter: "TN Y", month: "M Y", week: "sem. N Y", day: "D M Y", span: "–"},
	numbers: numerals{group: ".", point: ",", minGrouped: 5, percent: "\u00a0%", signLast: true, powers: []Power{{12, "\u00a0B", "billones"}, {6, "\u00a0M", "millones"}}},
}

var italian = Language{
	Code: "it", separator: ", ",
	months:  strings.Fields("gen feb mar apr mag giu lug ago set ott nov dic"),
	period:  periods{half: "SN Y", quarter: "TN Y", month: "M Y", week: "sett. N Y", day: "D M Y", span: "–"},
	numbers: numerals{group: ".", point: ",", minGrouped: 4, percent: "%", signLast: true, powers: []Power{{9, "\u00a0Mld", "miliardi"}, {6, "\u00a0Mln", "milioni"}}},
}

var arabic = Language{
	Code: "ar", RightToLeft: true, separator: "، ",
	months: strings.Fields("يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
	period: periods{
		half: "النصف A Y", quarter: "الربع A Y", month: "M Y", week: "الأسبوع N، Y", day: "D M Y", span: "–",
		ordinals: strings.Fields("الأول الثاني الثالث الرابع"),
	},
	numbers: numerals{group: ",", point: ".", minGrouped: 4, percent: "%", signLast: true, powers: []Power{{12, "\u00a0ترليون", "تريليون"}, {9, "\u00a0مليار", "مليار"}, {6, "\u00a0مليون", "مليون"}}},
}

var japanese = Language{
	Code: "ja", separator: "、",
	months:  strings.Fields("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"),
	period:  periods{half: "Y年A", quarter: "Y年第N四半期", month: "Y年M", week: "Y年第N週", day: "Y年MD日", span: "～", ordinals: strings.Fields("上半期 下半期")},
	numbers: numerals{group: ",", point: ".", minGrouped: 4, percent: "%", powers: []Power{{12, "兆", "兆"}, {8, "億", "億"}, {4, "万", "万"}}},
}
