package caption

import (
	"slices"

	"golang.org/x/text/currency"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// UnstatedCurrency stands for the unit of an amount of money of which nothing says the currency.
const UnstatedCurrency = "currency not stated in the file"

var (
	// isMoney matches what is measured in money.
	isMoney = lazyregexp.New(`(?i)\b(GDP|GNI|BIP|PIB|PIL|BBP|BNP|PKB|HDP|gross (domestic|national) (product|income)|incomes?|wages?|salar(y|ies)|earnings|expenditures?|revenues?|bruttoinlandsprodukt|produit intérieur brut|producto interior bruto)\b`)
	// isOther matches measures about money that have another unit and are no pure numbers.
	isOther = lazyregexp.New(`(?i)\b(change|rates?|deflator|distribution|quintile|inequality|persons|number|people|households|years|price)\b`)
)

// IsAmountOfMoney reports whether a text says that money is measured.
func IsAmountOfMoney(text string) bool {
	return isMoney.MatchString(text) && !SaysPureNumber(text) && !isOther.MatchString(text)
}

var (
	nationalWords = `((national|local|domestic) currenc(y|ies)( units?)?|monnaies? (nationales?|locales?)|(landes|national)währung(en)?|monedas? (nacional(es)?|local(es)?)|` +
		`moedas? naciona(l|is)|valut[ae] nazional[ei]|nationale valuta|nationell valuta|nasjonal valuta|walu(ta|cie|ty) (krajow|narodow)\pL+|LCU|XDC)`
	// nationalCurrency matches units whose currency depends on the country.
	nationalCurrency = lazyregexp.New(`(?i)(^|\PL)` + nationalWords + `(\PL|$)|(\b|_)M?NAC\b|自国通貨|本币|本幣|национальн\pL+ валют`)
	// inNationalCurrency matches the end of a title that says so without brackets.
	inNationalCurrency = lazyregexp.New(`(?i)(?: in |, | [-–] |: )((?:(?:thousands?|millions?|billions?) )?(?:of )?(?:units of )?` + nationalWords + `)$`)
)

// IsNationalCurrency reports whether a unit is the currency of each country, whichever that is.
func IsNationalCurrency(unit string) bool { return nationalCurrency.MatchString(unit) }

// hasUnits reports whether a dataset states the units of its values in a dimension, though those
// of one picture may differ.
func hasUnits(d *stat.Dataset) bool {
	return slices.ContainsFunc(d.Dimensions, func(dim stat.Dimension) bool {
		return dim.Role == stat.RoleUnit || isCurrencyDimension(dim.ID)
	})
}

var (
	codeWord = lazyregexp.New(`\b[A-Z]{3}\b`)
	// currencyWord matches words that name a currency, also those that mean something else too: in
	// doubt a text names one.
	currencyWord = lazyregexp.New(`(?i)\p{Sc}|(^|\PL)(euro[st]?|евро|ευρώ|pounds?|sterling|francs?|franken|yen|yuan|renminbi|rmb|rupees?|rupien|rs|rupiah|rand|kronor|krona|kroner|krone|kronen|kr|` +
		`korun[ay]?|kč|z[lł]|z[lł]ot(y|ys|ych)|forints?|ft|lei|leu|leva|lev|won|rubles?|roubles?|rubel|руб|рубл\pL+|hryvnias?|грн|гривень|liras?|lire|tl|shillings?|schilling|pesos?|reais|real|soles|` +
		`bol[ií]vares|dinars?|dirhams?|ri[y]?als?|shekels?|baht|ringgit|taka|naira|cedis?|birr|kwacha|pula|tenge|manat|lari|dram|dong|kuna|dollars?|d[oó]lar(es)?|доллар\pL*)(\PL|$)|元|円|원`)
)

// NamesCurrency reports whether a text may name a currency, in words, by its sign or by its code in
// ISO 4217.
func NamesCurrency(text string) bool {
	return currencyWord.MatchString(text) || IsNationalCurrency(text) || slices.ContainsFunc(codeWord.FindAllString(text, -1), func(code string) bool {
		_, err := currency.ParseISO(code)
		return err == nil
	})
}
