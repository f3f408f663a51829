/**
 * Words before a period that does not end a sentence, in English, German, French, Spanish, Italian,
 * Portuguese, Dutch and Polish. All are compared in lower case without the period. A lower-case
 * word never begins a sentence, so "etc.", "usw." and "a.m." need no entry.
 */
const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Never the end of a sentence: titles and connectives. */
export const leading = listed(`
  mr mrs ms messrs dr prof rev hon capt lt sgt col gen sen rep gov pres vs viz cf e.g i.e approx dept
  z.b d.h u.a bzw ca evtl ggf inkl exkl vgl sog bspw lt gem insb hr fr geb dipl ing
  m mm mme mlle p.ex c.-à-d env apr av chap
  sr sra srta srs sres d dña ud uds p.ej lic arq aprox
  sig sig.ra sig.na sigg dott dott.ssa avv on p.es cfr
  exmo exma profa dra eng p.ex
  dhr mevr mw drs ir bijv bv d.w.z o.a m.b.t t.a.v i.p.v i.v.m resp incl excl
  np tzn tj m.in mgr inż hab ul św ks płk wg tzw ww
`);

/** Only before a number: "no." may also be an answer. */
export const numbered = listed(`
  no nos nr nrs num núm n fig figs abb tab eq ch sec vol bd p pp pg pag pág págs blz str s abs art arts kap cap par § tel tél
  mon tue tues wed thu thur thurs fri mo di mi do
  jan feb febr mar apr jun jul aug sep sept oct nov dec
  jän mär okt dez janv févr avr juil déc ene abr ago dic genn febb giu lug sett ott fev mrt maa
  rozdz poz godz ok
`);

/** Words that are also short for a month: abbreviations only after the day. */
export const monthsBehindDay = listed(`set out mar mai may mag gen dic ago jun jul`);

/**
 * These end a sentence only before a word that begins sentences: "in the U.S. The army" but not
 * "the U.S. Army".
 */
export const trailing = listed(`
  inc ltd corp co bros jr sr al st ave blvd rd mt ft
  mio mrd std min sek jh str e.v gmbh s.a s.l s.p.a s.r.l ltda cia cía b.v n.v kg
  pl al os im
  chr j.-c a.c d.c
`);

/** Words that begin sentences and never follow an abbreviation in a name. */
export const starters = listed(`
  the this that these those it its he she they we you i in on at for from with by as if when while after before but and or so then there
  here however also both all some many most no not a an to their his her our who what
  der die das den dem des ein eine er sie es wir ihr ich im am auf bei mit nach von vor zu für aber und oder doch dann danach dort hier
  wenn als weil auch alle viele
  le la les un une il elle ils elles nous vous je ce cette ces dans en à au aux avec pour par sur mais et ou puis ensuite
  el los las una se con por para pero y o luego después este esta
  lo i gli per ma e poi questo questa
  os as um uma em na com mas depois ela ele elas eles
  de het een hij zij ze wij ik op met voor van maar en of daarna dit dat
  w z do po to ten ta te ona oni my ale lecz potem następnie
`);

/** Nouns and months after a German ordinal. */
export const behindOrdinal =
  /^\s{1,3}(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|mär|apr|jun|jul|aug|sept?|okt|nov|dez|jahrhundert|jh|platz|rang|stock|etage|quartal|kapitel|klasse|weltkrieg|auflage|tag|woche|monat|jahr|runde|liga|mal|bezirk|reihe|absatz|geburtstag|januari|februari|maart)(?![\p{L}])/iu;

/** Words before an ordinal: "der 3. Punkt", "am 12. Treffen". */
export const beforeOrdinal =
  /(?:^|[\s([“"'„])(?:der|die|das|den|dem|des|am|im|vom|zum|zur|beim|bis|ab|seit|jeder|jeden|jede|ihr|ihre|ihren|ihrem|sein|seine|seinen|seinem|unser|unsere|unserem)\s\d{1,2}\.$/iu;

/** Letters that name things and may end a sentence: "vitamin C. The". */
export const lettered =
  /(?:^|[\s([“"'])(?:vitamin|plan|type|typ|grade|appendix|option|group|class|section|team|room|building|hepatitis|variant|schedule|tipo|grupo|opción|opzione|groupe|vitamine|witamina|vitamina)\s\p{Lu}\.$/iu;
