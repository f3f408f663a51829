import Link from 'next/link';
import { useTrusts } from '@/app/(console)/use-trusts';
import type { Measure, Measures, Trust } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { measuredText, minSampleSize } from '@/app/_ui/rate';
import { TrustMark } from '@/app/_ui/trust-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { Days } from '@/server/measures/input';
import { verifierHref } from '../addresses';
import { type DotRow, dotRows, type RateKey, rateTitle, unlabelledText } from './dot-rows';

interface VerifierDotsProps {
  project: string;
  days: Days;
  verifiers: Measures['verifiers'];
}

const marks: Record<RateKey, { name: string; color: string }> = {
  catchRate: { name: 'Catch rate', color: 'var(--color-series-1)' },
  falseRejectionRate: {
    name: 'False rejections (of good subjects)',
    color: 'var(--color-series-2)',
  },
};
const keys = ['catchRate', 'falseRejectionRate'] as const satisfies readonly RateKey[];

/** In pixels: the lane of each rate, and their sum. */
const [laneHeight, plotHeight] = [20, 40];
const columns = 'md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_11.5rem] md:gap-x-6';

/**
 * Both rates of each verifier on one axis, against their targets. Renders nothing without labels.
 */
export function VerifierDots({ project, days, verifiers }: VerifierDotsProps) {
  const trusts = useTrusts(project);
  const rows = dotRows(verifiers, trusts);
  if (rows.length === 0) return null;
  const unlabelledNote = unlabelledText(verifiers.length - rows.length);
  return (
    <Panel title="Catch rate and false rejections" aside={<Legend />}>
      <div className="px-4 pt-2 pb-1">
        <div aria-hidden="true" className={`grid ${columns}`}>
          <Axis />
        </div>
        <ul aria-label="Rates of the verifiers">
          {rows.map((row) => (
            <li
              key={row.verifier}
              className={`border-line grid items-center gap-y-1 border-b py-2 last:border-0 ${columns}`}
            >
              <RowName
                href={verifierHref({ project, verifier: row.verifier, origin: 'verifier' }, days)}
                verifier={row.verifier}
                trust={row.trust}
              />
              <Dots row={row} />
              <div className="text-12 grid max-md:grid-cols-2 max-md:gap-x-4">
                {keys.map((key) => (
                  <RateNumbers key={key} name={marks[key].name} rate={key} measure={row[key]} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </div>
      {unlabelledNote === null ? null : (
        <p className="text-12 text-ink-3 border-line border-t px-4 py-2">{unlabelledNote}</p>
      )}
    </Panel>
  );
}

function RowName({
  href,
  verifier,
  trust,
}: {
  href: string;
  verifier: string;
  trust: Trust | undefined;
}) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
      <Link
        href={href}
        title={plainText(verifier)}
        className="text-12 truncate font-mono font-semibold underline"
      >
        <VisibleText text={verifier} />
      </Link>
      {trust === undefined ? null : (
        <span className="text-12">
          <TrustMark trust={trust} />
        </span>
      )}
    </div>
  );
}

/** Aligned with the plot of each row. */
function Axis() {
  return (
    <div className="text-12 text-ink-3 relative mx-2 h-5 md:col-start-2">
      {[0, 25, 50, 75, 100].map((at) => (
        <span key={at} className="absolute -translate-x-1/2" style={{ left: `${at}%` }}>
          {at}%
        </span>
      ))}
    </div>
  );
}

/** The text next to it has the same values. */
function Dots({ row }: { row: DotRow }) {
  return (
    <svg
      width="100%"
      height={plotHeight}
      aria-hidden="true"
      className="overflow-visible px-2"
      preserveAspectRatio="none"
    >
      {[0, 25, 50, 75, 100].map((at) => (
        <line
          key={at}
          x1={`${at}%`}
          x2={`${at}%`}
          y1="0"
          y2={plotHeight}
          stroke="var(--color-line)"
        />
      ))}
      {keys.map((key, lane) => (
        <Dot
          key={key}
          rate={key}
          measure={row[key]}
          target={row.targets[key]}
          middle={laneHeight * (lane + 0.5)}
        />
      ))}
    </svg>
  );
}

interface DotProps {
  rate: RateKey;
  measure: Measure;
  /** Null until trust is computed. */
  target: number | null;
  middle: number;
}

const percent = (share: number): string => `${share * 100}%`;

function Dot({ rate, measure, target, middle }: DotProps) {
  const { value, low, high, denominator } = measure;
  const { name, color } = marks[rate];
  const isDrawn = value !== null && low !== null && high !== null && denominator >= minSampleSize;
  return (
    <g>
      {target === null ? null : (
        <line
          x1={percent(target)}
          x2={percent(target)}
          y1={middle - 8}
          y2={middle + 8}
          stroke="var(--color-ink-2)"
          strokeWidth="1.5"
          strokeDasharray="3 2"
        >
          <title>{`${name}, target ${Math.round(target * 1000) / 10}%`}</title>
        </line>
      )}
      {isDrawn ? (
        <g>
          <title>{rateTitle(name, rate, measure)}</title>
          <line
            x1={percent(low)}
            x2={percent(high)}
            y1={middle}
            y2={middle}
            stroke={color}
            strokeWidth="3"
            opacity="0.55"
          />
          {rate === 'catchRate' ? (
            <circle cx={percent(value)} cy={middle} r="5" fill={color} />
          ) : (
            <circle
              cx={percent(value)}
              cy={middle}
              r="4"
              fill="var(--color-surface)"
              stroke={color}
              strokeWidth="2"
            />
          )}
        </g>
      ) : null}
    </g>
  );
}

function RateNumbers({ name, rate, measure }: { name: string; rate: RateKey; measure: Measure }) {
  const { rate: value, interval } = measuredText(measure);
  const { numerator, denominator } = measure;
  return (
    <p className="leading-5 whitespace-nowrap" title={rateTitle(name, rate, measure)}>
      <span className="sr-only">{name}: </span>
      {denominator === 0 ? (
        <span className="text-ink-3">no labels</span>
      ) : value === null ? (
        <span className="text-ink-3">
          {(numerator ?? 0).toLocaleString('en')} of {denominator.toLocaleString('en')}
        </span>
      ) : (
        <>
          <span className="font-semibold">{value}</span>{' '}
          <span className="text-ink-2">
            ({interval}), n {denominator.toLocaleString('en')}
          </span>
        </>
      )}
    </p>
  );
}

function Legend() {
  return (
    <ul aria-label="Legend" className="text-12 text-ink-2 flex flex-wrap gap-x-4 gap-y-1">
      {keys.map((key) => (
        <li key={key} className="flex items-center gap-2">
          <svg width="16" height="10" viewBox="0 0 16 10" aria-hidden="true">
            <path d="M0 5h16" stroke={marks[key].color} strokeWidth="3" opacity="0.55" />
            <circle
              cx="8"
              cy="5"
              r={key === 'catchRate' ? 4 : 3}
              fill={key === 'catchRate' ? marks[key].color : 'var(--color-surface)'}
              stroke={marks[key].color}
              strokeWidth={key === 'catchRate' ? 0 : 2}
            />
          </svg>
          {marks[key].name}
        </li>
      ))}
      <li className="flex items-center gap-2">
        <svg width="4" height="12" viewBox="0 0 4 12" aria-hidden="true">
          <path d="M2 0v12" stroke="var(--color-ink-2)" strokeWidth="1.5" strokeDasharray="3 2" />
        </svg>
        Target
      </li>
    </ul>
  );
}
