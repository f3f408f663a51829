/** The meaning of a name or number next to a noun. */
export type NounKind =
  | 'class'
  | 'model'
  | 'part'
  | 'function'
  | 'field'
  | 'route'
  | 'takes'
  | 'test';

const words: Readonly<Record<NounKind, string>> = {
  class:
    'class classes klasse klassen clase clases struct structs interface interfaces enum enums trait traits 类',
  model: 'model models entity entities',
  part: 'component components controller controllers service services repository komponente composant componente',
  function:
    'function functions method methods helper helpers query queries mutation mutations action actions hook hooks procedure procedures ' +
    'funktion funktionen methode methoden fonction fonctions méthode méthodes función funciones funcion método métodos 函数 方法',
  field:
    'field fields property properties column columns attribute attributes argument arguments arg args parameter parameters feld felder ' +
    'feldern champ champs campo campos',
  route:
    'endpoint endpoints route routes handler handlers endpunkt endpunkte endpunkten routen ruta rutas',
  takes: 'takes accepts',
  test: 'pytest vitest jest unittest test tests 测试 pruebas',
};

const kinds: ReadonlyMap<string, NounKind> = new Map(
  Object.entries(words).flatMap(([kind, of]) =>
    of.split(' ').map((word): [string, NounKind] => [word, kind as NounKind]),
  ),
);

/**
 * All nouns in one pass. Plain words only: the engine matches them with one decision per letter,
 * however many there are.
 */
export const nouns = new RegExp(
  String.raw`\b(?:${[...kinds.keys()]
    .filter((word) => /^\w/.test(word))
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![\wà-ÿ])|${[...kinds.keys()].filter((word) => !/^\w/.test(word)).join('|')}`,
  'gi',
);

/** A noun and its position in a request. */
export interface NounHit {
  readonly kind: NounKind;
  readonly word: string;
  /** Range in the request, in UTF-16 code units, end exclusive. */
  readonly at: number;
  readonly end: number;
}

/** Maximum number; requests written by people have fewer. */
const HITS_MAX = 1_000;

/**
 * Nouns of a request, in its order, without those inside a name (`.class`, `#field`, `sub-class`).
 */
export function findNouns(request: string): NounHit[] {
  const found: NounHit[] = [];
  for (const { 0: text, index } of request.matchAll(nouns)) {
    const word = text.toLowerCase();
    const kind = kinds.get(word);
    if (kind === undefined || isJoined(request.charCodeAt(index - 1))) continue;
    found.push({ kind, word, at: index, end: index + text.length });
    if (found.length >= HITS_MAX) break;
  }
  return found;
}

/** `.`, `#`, `-`, `_`, `$`, `/` */
function isJoined(code: number): boolean {
  return code === 46 || code === 35 || code === 45 || code === 95 || code === 36 || code === 47;
}
