interface ProgressBarProps {
  label: string;
  /** 0 to 1. */
  ratio: number;
  /** The whole is unknown, so the bar has no value. */
  isOpen?: boolean;
}

export function ProgressBar({ label, ratio, isOpen = false }: ProgressBarProps) {
  const percent = 100 * Math.min(1, ratio);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(!isOpen && { 'aria-valuenow': Math.round(percent) })}
      className="bg-sunken rounded-4 h-2 overflow-hidden"
    >
      <div className="bg-accent h-full" style={{ width: `${percent}%` }} />
    </div>
  );
}

/** The completed part, 0 to 1; 1 if the total is 0. */
export const ratioOf = (done: number, total: number): number => (total === 0 ? 1 : done / total);
