import type { PlanStep } from '@/app/_trpc/outputs';
import { plainText } from '@/app/_ui/visible-text';
import { box, layPlan, type PlacedStep } from './plan-layout';

const costWords: Record<PlanStep['cost'], string> = {
  free: 'Free, always',
  gate: 'Gates',
  judge: 'LLM judges (paid)',
};

const maxChars = 28;
const short = (text: string): string =>
  text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;

/**
 * The DAG as a drawing: free nodes at the left, nodes that call a model at the right, with lines
 * from the dependencies. The table below has the same content.
 */
export function PlanFigure({ steps }: { steps: readonly PlanStep[] }) {
  const { width, height, steps: placed, edges, stages } = layPlan(steps);
  return (
    <div
      className="max-h-[480px] overflow-auto p-4"
      tabIndex={0}
      role="region"
      aria-label="Drawing of the plan"
    >
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${steps.length} nodes in ${stages.length === 1 ? 'one stage' : `${stages.length} stages`}; the table below lists them`}
        className="text-ink block"
      >
        {stages.map(({ cost, x, right }, at) => (
          <g key={cost}>
            <text x={x} y={14} fontSize={12} className="fill-ink-3">
              {costWords[cost]}
            </text>
            {at === 0 ? null : (
              <path
                d={`M${x - box.gapX / 2} 4V${height - 4}`}
                className="stroke-line-strong"
                strokeDasharray="3 4"
                fill="none"
              />
            )}
            <path d={`M${x} 20H${right}`} className="stroke-line" fill="none" />
          </g>
        ))}
        {edges.map(({ from, to }) => (
          <path
            key={`${from.number}-${to.number}`}
            d={curve(from, to)}
            className="stroke-line-strong"
            strokeWidth={1.5}
            fill="none"
          />
        ))}
        {placed.map((each) => (
          <Node key={each.number} placed={each} />
        ))}
      </svg>
    </div>
  );
}

function Node({ placed: { step, number, x, y } }: { placed: PlacedStep }) {
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={box.width}
        height={box.height}
        rx={4}
        className={step.mustPass ? 'fill-sunken stroke-ink' : 'fill-surface stroke-line-strong'}
        strokeWidth={step.mustPass ? 2 : 1}
      />
      <text x={x + 10} y={y + 20} fontSize={13} className="fill-ink">
        {short(plainText(`${number}. ${step.title}`))}
      </text>
      <text x={x + 10} y={y + 38} fontSize={12} className="fill-ink-2">
        {short(
          [
            step.mustPass ? 'must pass' : null,
            step.weight > 0 ? `weight ${step.weight}` : 'no weight',
          ]
            .filter(Boolean)
            .join(' · '),
        )}
      </text>
    </g>
  );
}

/**
 * From the right side of a dependency to the left side of its dependent; dependencies are always
 * further left.
 */
function curve(from: PlacedStep, to: PlacedStep): string {
  const [startX, startY] = [from.x + box.width, from.y + box.height / 2];
  const [endX, endY] = [to.x, to.y + box.height / 2];
  const middle = (startX + endX) / 2;
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`;
}
