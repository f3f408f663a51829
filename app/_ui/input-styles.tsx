import { ChevronDown } from 'lucide-react';

/** The style of every control that contains a value. */
export const inputClass =
  'bg-surface text-ink rounded-4 text-13 placeholder:text-ink-3 h-8 w-full min-w-0 border border-line-strong px-2 aria-invalid:border-fail';

/** A button that shows chosen days. */
export const dayRangeClass = `${inputClass} flex cursor-pointer items-center gap-2 text-left whitespace-nowrap md:w-auto`;

/** A raised area that opens next to its control. */
export const popoverClass =
  'bg-surface text-ink text-13 border-line rounded-8 shadow-raised max-w-[calc(100vw-16px)] overflow-y-auto border outline-none';

/** The style of a closed list of choices. */
export function SelectText({ text }: { text: string }) {
  return (
    <>
      <span className="min-w-0 truncate">{text}</span>
      <ChevronDown aria-hidden="true" size={14} className="text-ink-3 shrink-0" />
    </>
  );
}
