import type { Region } from './exempt';

/**
 * Marks that cite a reference are not figures (INT-21): `[1]`, `[2, 3]`, `[1]-[3]`, `[^4]`,
 * `【5†source】`, `[doc 6]`. A number in brackets after a statement is a citation; after a word that
 * announces a value, or after a colon, it is a figure.
 */
const BRACKETS =
  /(?<=[\p{L}\d.,;!?)"'”’%>*_]|\][-–,; ]?|[\p{L}\d.,;!?)"'”’%][ \u00a0])\[\d{1,3}(?:[ ]?[,;–-][ ]?\d{1,3}){0,7}\](?!\()/gu;
const FOOTNOTE = /\[\^[^\]\s]{1,40}\]/g;
const NAMED =
  /\[(?:doc|document|source|src|ref|reference|note|fn|cite|citation|page|p)s?[ .:#_-]{0,2}\d{1,4}(?:[ ]?[,–-][ ]?\d{1,4}){0,7}\]/gi;
const LENTICULAR = /【\d{1,3}(?:[:†][^】\n]{0,80})?】/gu;
const RAISED = /(?<!\b10)<sup>\[?\d{1,3}(?:[,–-] ?\d{1,3}){0,7}\]?<\/sup>/gi;

/** Words that precede a value: "the load is [91]". */
const ANNOUNCES =
  /(?:\b(?:is|are|was|were|be|been|at|than|over|under|above|below|about|around|approximately|roughly|nearly|almost|only|just|reach(?:ed|es)?|equals?|totals?|totall?ed|averag(?:e[ds]?|ing)|scored?|has|have|had|returns?|returned|values?|rose|fell|counts?|counted|up to|down to|from)|=)[ \u00a0]$/iu;
const REACH = 16;

export function addCitationMarks(text: string, regions: Region[]): void {
  if (text.includes('[')) {
    for (const { 0: mark, index } of text.matchAll(BRACKETS)) {
      if (!ANNOUNCES.test(text.slice(Math.max(0, index - REACH), index)))
        regions.push({ from: index, to: index + mark.length });
    }
    add(text, FOOTNOTE, regions);
    add(text, NAMED, regions);
  }
  if (text.includes('【')) add(text, LENTICULAR, regions);
  if (text.includes('<sup>')) add(text, RAISED, regions);
}

function add(text: string, pattern: RegExp, regions: Region[]): void {
  for (const { 0: mark, index } of text.matchAll(pattern))
    regions.push({ from: index, to: index + mark.length });
}
