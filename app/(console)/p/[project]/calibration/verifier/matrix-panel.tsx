import type { CalibrationReport, VerifierDetail } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import type { Cell } from '@/server/measures/input';
import { type About, rowsHref } from '../addresses';
import { CountLink } from '../measure-text';
import { Outside } from '../(list)/verifier-table';
import { MatrixHead } from '../matrix-head';

/** The 2×2 matrix: the verifier's verdicts against the labels, each count linking to its rows. */
export function MatrixPanel({
  about,
  data,
}: {
  about: About;
  data: VerifierDetail | CalibrationReport;
}) {
  const { caught, missed, rejected, passed, undecided, unparseable } = data.counts;
  const href = (cell: Cell): string => rowsHref(about, cell, { from: data.from });
  return (
    <Panel title="Confusion matrix">
      <table aria-label="Confusion matrix" className="w-full border-collapse">
        <MatrixHead />
        <tbody>
          <tr className="border-line border-b">
            <th scope="row" className="text-12 text-ink-2 px-4 align-top">
              <span className="block py-3">Flagged</span>
            </th>
            <Count name="caught" count={caught} href={href('caught')} words="caught" />
            <Count
              name="false rejections"
              count={rejected}
              href={href('rejected')}
              words="false rejections: good subjects rejected"
            />
          </tr>
          <tr>
            <th scope="row" className="text-12 text-ink-2 px-4 align-top">
              <span className="block py-3">Passed</span>
            </th>
            <Count
              name="missed failures"
              count={missed}
              href={href('missed')}
              words="missed failures: bad subjects passed"
            />
            <Count
              name="correct passes"
              count={passed}
              href={href('passed')}
              words="correct passes"
            />
          </tr>
        </tbody>
      </table>
      {undecided > 0 || unparseable > 0 ? (
        <p className="border-line border-t px-4 py-2">
          Not in the matrix: <Outside counts={data.counts} href={href} />
        </p>
      ) : null}
    </Panel>
  );
}

function Count({
  name,
  count,
  href,
  words,
}: {
  name: string;
  count: number;
  href: string;
  words: string;
}) {
  return (
    <td className="px-4 py-3 align-top">
      <span className={`text-28 block font-semibold ${count === 0 ? 'text-ink-3' : ''}`}>
        <CountLink href={href} count={count} name={name} />
      </span>
      <span className="text-12 text-ink-3">{words}</span>
    </td>
  );
}
