import Link from 'next/link';
import type { Trust, VerdictRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { TrustGlyph } from '@/app/_ui/trust-mark';
import { verdictLooks } from '@/app/_ui/verdict-looks';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName } from '@/server/domain';

interface VerdictTableProps {
  label: string;
  rows: readonly VerdictRow[];
  project: string;
  /** How far each verifier is trusted; left out, or not known yet: nothing is said of it. */
  trusts?: ReadonlyMap<string, Trust>;
  /** Fewer columns, for a panel. */
  compact?: boolean;
  /** Remembers which row was opened. */
  onOpen?: (id: string) => void;
}

/** Of integrity how its figures came out, of other kinds the score. */
function measuredText(row: VerdictRow): string {
  if (row.figures === null) return row.score === null ? '' : `score ${Number(row.score.toFixed(4))}`;
  if (row.figures === 0) return 'no figures';
  return row.unsourced ? `${row.unsourced} of ${row.figures} unsourced` : `${row.figures} sourced`;
}

/** 32 px rows, one line: the mark on the left edge, the age on the right. The excerpt is the link; it covers its row. */
export function VerdictTable({ label, rows, project, trusts, compact = false, onOpen }: VerdictTableProps) {
  const wide = compact ? 'hidden' : 'hidden lg:table-cell';
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse">
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-32 pl-4">
            Outcome
          </th>
          <th scope="col" className="px-2">
            Answer or task
          </th>
          <th scope="col" className="hidden w-36 px-2 xl:w-48 md:table-cell">
            Measured
          </th>
          <th scope="col" className="hidden w-52 px-2 md:table-cell">
            Model
          </th>
          <th scope="col" className={`${wide} w-36 px-2`}>
            Verifier
          </th>
          <th scope="col" className="w-14 pr-4 text-right">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0">
            <td className="pl-4">
              <span className="flex items-center gap-2">
                <VerdictIcon state={row.outcome} />
                <span className="truncate">{verdictLooks[row.outcome].word}</span>
                <RuledOtherwise row={row} />
              </span>
            </td>
            <td className="truncate px-2">
              <Link
                href={`/p/${project}/verdicts/${encodeURIComponent(row.id)}`}
                data-verdict={row.id}
                prefetch={false}
                onClick={() => onOpen?.(row.id)}
                className="row-link [unicode-bidi:isolate] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
              >
                {row.excerpt === '' ? <span className="text-ink-3">Empty answer</span> : <VisibleText text={row.excerpt} />}
              </Link>
            </td>
            <td className={`hidden truncate px-2 md:table-cell ${row.unsourced ? '' : 'text-ink-3'}`}>{measuredText(row)}</td>
            <td className="text-12 text-ink-2 hidden truncate px-2 font-mono md:table-cell" title={plainText(row.model ?? '')}>
              <VisibleText text={row.model ?? ''} />
            </td>
            <td className={`${wide} text-12 text-ink-2 truncate px-2 font-mono`} title={row.verifier}>
              <TrustGlyph trust={trusts?.get(readVerifierName(row.verifier).slug)} /> {row.verifier}
            </td>
            <td className="text-ink-3 pr-4 text-right">
              <Age at={row.settledAt ?? row.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The machine's verdict stays in its place; what a person made of it stands behind. */
function RuledOtherwise({ row }: { row: VerdictRow }) {
  if (row.ruled === null || row.ruled.verdict === row.verdict) return null;
  const said = `a person ruled ${row.ruled.verdict}`;
  return (
    <span className="flex shrink-0 items-center gap-1" title={said}>
      <VerdictIcon state="overridden" />
      <VerdictIcon state={row.ruled.outcome} />
      <span className="sr-only">, {said}</span>
    </span>
  );
}
