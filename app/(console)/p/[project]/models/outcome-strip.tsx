import type { ModelRow } from '@/app/_trpc/outputs';

const [height, low] = [16, 6];
/** Marks grow thinner where there are many: the table has other columns. */
const looksOf = (count: number) => (count > 50 ? { width: 1.2, gap: 0.4 } : { width: 3, gap: 1 });

/**
 * One mark a result, oldest first: high and in the hue of a pass, or low and in that of a failure.
 * Told in words too.
 */
export function OutcomeStrip({ outcomes }: { outcomes: ModelRow['outcomes'] }) {
  const { width, gap } = looksOf(outcomes.length);
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  return (
    <svg
      role="img"
      aria-label={`${passed} of ${outcomes.length} passed, one mark each`}
      width={outcomes.length * (width + gap)}
      height={height}
      className="block"
    >
      {outcomes.toReversed().map((outcome, index) => (
        <rect
          key={index}
          x={index * (width + gap)}
          y={outcome === 'passed' ? 0 : height - low}
          width={width}
          height={outcome === 'passed' ? height : low}
          className={outcome === 'passed' ? 'fill-pass' : 'fill-fail'}
        />
      ))}
    </svg>
  );
}
