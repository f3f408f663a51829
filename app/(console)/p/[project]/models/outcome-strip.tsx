import type { ModelRow } from '@/app/_trpc/outputs';

const [width, gap, height, low] = [3, 1, 16, 6];

/** One mark a result, oldest first: high and in the hue of a pass, or low and in that of a failure. Told in words too. */
export function OutcomeStrip({ outcomes }: { outcomes: ModelRow['outcomes'] }) {
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
