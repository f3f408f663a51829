import { costText, type EvalResult, failedRowsText, gateText, rowsOf } from './eval-report';
import type { EvalComparison } from './read-comparison';
import { plain } from './terminal';

/** The start of a comment, by which the next run of the same file finds it. */
export const commentMarker = (file: string): string =>
  `<!-- assay eval ${encodeURIComponent(file)} -->`;

/** External text that is neither markup nor a mention. */
const literal = (text: string): string =>
  plain(text)
    .replace(/[\\`*_{}[\]<>()#|~!&:]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replaceAll('@', '@<!-- -->');

const points = (share: number): string => (100 * share).toFixed(1).replace('-', '−');

/** `+4.0 points (−1.2 to 9.1), p 0.120, 3 improved, 1 regressed` */
function differenceText(comparison: EvalComparison, verifier: string): string {
  const found = comparison.comparisons.find((each) => each.verifier === verifier);
  if (found === undefined || found.difference === null) return '–';
  const { value, low, high } = found.difference;
  const range = low === null || high === null ? '' : ` (${points(low)} to ${points(high)})`;
  const p = found.p_adjusted === null ? '' : `, p ${found.p_adjusted.toFixed(3)}`;
  const { improved, regressed } = found.items;
  const sign = value > 0 ? '+' : '';
  return `${sign}${points(value)} points${range}${p}, ${improved} improved, ${regressed} regressed`;
}

function baselineText({ baseline: { name, branch, commit, url } }: EvalComparison): string {
  const of = branch === null ? name : `${branch} ${(commit ?? '').slice(0, 10)}`;
  return `[${literal(of.trim())}](${url})`;
}

function reasonLines(result: EvalResult): string[] {
  const failedRows = failedRowsText(result);
  const reasons = (result.gate?.reasons ?? []).map(
    ({ verifier, severity, message, items_needed: needed }) => {
      const about = verifier === null ? '' : `**${literal(verifier)}**: `;
      const needs = needed === null ? '' : ` About ${needed} items would decide.`;
      return `- ${severity === 'error' ? '❌' : '⚠️'} ${about}${literal(message)}${needs}`;
    },
  );
  return failedRows === null ? reasons : [`- ❌ ${literal(failedRows)}`, ...reasons];
}

function stateText({ experiment: { state, reason, counts } }: EvalResult): string {
  const rows = `${counts.answered} of ${counts.rows} rows answered`;
  if (state === 'done') return rows;
  return `${rows}, ${literal(state)}${reason === null ? '' : ` – ${literal(reason)}`}`;
}

/** A comment for a pull request, or the summary of a job. */
export function evalMarkdown(result: EvalResult, file: string): string {
  const { comparison } = result;
  const header = ['Verifier', 'Pass rate, 95% interval', 'Corrected for the verifier’s errors'];
  const compared = comparison === null ? [] : [`Difference from ${baselineText(comparison)}`];
  const columns = [...header, 'Mean score', ...compared];
  const rows = rowsOf(result).map(({ verifier, pass, corrected, score }) => [
    literal(verifier),
    pass,
    corrected,
    score,
    ...(comparison === null ? [] : [differenceText(comparison, verifier)]),
  ]);
  const lines = [columns, columns.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return [
    commentMarker(file),
    `### Assay: ${literal(result.name)} – ${gateText(result)}`,
    '',
    ...lines,
    '',
    ...reasonLines(result),
    '',
    `${stateText(result)} · ${costText(result)} · [Open the experiment](${result.url})`,
    '',
  ].join('\n');
}
