import type { CodeView, VerdictDetail } from '@/app/_trpc/outputs';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText } from '@/app/_ui/visible-text';
import { Block } from '../block';

/**
 * QEL-44: the colour depends on the number, not on the verdict; the two may differ (55 of a tiny
 * model is red, and passes).
 */
export function pointsClass(total: number): string {
  if (total >= 80) return 'text-pass';
  return total >= 60 ? 'text-review' : 'text-fail';
}

const names: Record<string, string> = {
  files: 'Files',
  patterns: 'Patterns',
  framework: 'Framework',
  complete: 'Complete',
  proof: 'Proof',
  semantic: 'Semantic',
};

interface PointsCardProps {
  verdict: Pick<VerdictDetail, 'outcome' | 'verdict'>;
  code: CodeView;
  onOpen: () => void;
}

/**
 * The result at a glance: points, verdict, number of the repair, files, and the origin of the
 * points.
 */
export function PointsCard({ verdict, code, onOpen }: PointsCardProps) {
  const { total, passThreshold, tier, repair, deliverables, files } = code;
  const paths = (deliverables.length > 0 ? deliverables : files).map(({ path }) => path);
  return (
    <Block
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          QEL
          {total === null ? null : (
            <span className={`text-16 font-semibold ${pointsClass(total)}`}>{total}</span>
          )}
          {verdict.outcome === null ? null : <VerdictBadge {...verdict} size={12} />}
          {repair.iteration > 0 ? (
            <span className="text-12 text-ink-2">repair #{repair.iteration}</span>
          ) : null}
        </span>
      }
      aside={
        <button
          type="button"
          onClick={onOpen}
          className="text-12 text-ink-2 hover:text-ink underline"
        >
          Open the panel
        </button>
      }
    >
      <div className="grid gap-3">
        {paths.length === 0 ? null : (
          <p className="text-12 text-ink-2 font-mono [overflow-wrap:anywhere]">
            {paths.map((path) => plainText(path)).join(', ')}
          </p>
        )}
        {total === null ? (
          <p className="text-ink-2">No points: there was nothing to score.</p>
        ) : (
          <p className="text-ink-2">
            {total} of 100 points
            {passThreshold === null ? '' : `; ${tier ?? 'its'} models pass from ${passThreshold}`}.
          </p>
        )}
        <PointBars points={code.points} />
        {code.structuralMultiplier !== null && code.structuralMultiplier < 1 ? (
          <p className="text-12 text-ink-2">
            {Math.round(code.structuralMultiplier * 100)}% of the elements have a body of their own;
            the rest are stubs, and the points for patterns are cut by that share.
          </p>
        ) : null}
      </div>
    </Block>
  );
}

export function PointBars({ points }: { points: CodeView['points'] }) {
  if (points.length === 0) return null;
  return (
    <dl
      aria-label="Points"
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1"
    >
      {points.map(({ name, value, max }) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{names[name] ?? name}</dt>
          <dd className="bg-sunken rounded-4 h-2 min-w-0" aria-hidden="true">
            <div
              className="bg-series-1 rounded-4 h-2"
              style={{ width: `${max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0}%` }}
            />
          </dd>
          <dd className="text-right">
            {Number(value.toFixed(1))}/{max}
          </dd>
        </div>
      ))}
    </dl>
  );
}
