// HTML entities by name: the symbols of ASCII, and Latin-1 in code order.

export const entities: ReadonlyMap<string, string> = new Map([
  ...`Tab\t NewLine\n excl! quot" QUOT" num# dollar$ percnt% amp& AMP& apos' lpar( rpar) ast* midast* plus+ comma, period.
sol/ colon: semi; lt< LT< equals= gt> GT> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave\`
lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace} euro€`
    .split(/(?<=\S)[ \n](?=[A-Za-z])/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
  ...`nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2
sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
    .split(/\s/)
    .map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
])
