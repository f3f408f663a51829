'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { DayPicker, type DayPickerProps } from '@daypicker/react';

const format = (options: Intl.DateTimeFormatOptions) => (at: Date) =>
  new Intl.DateTimeFormat(undefined, options).format(at);
const monthText = format({ month: 'long', year: 'numeric' });
const dayText = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

const buttonClass =
  'text-ink-2 hover:bg-hover rounded-4 flex size-8 items-center justify-center aria-disabled:opacity-40';
const edgeClass = '[&>button]:bg-accent [&>button]:text-on-accent [&>button]:font-semibold';

const classNames = {
  months: 'relative w-full',
  month: 'grid w-full gap-1',
  month_caption: 'flex h-8 items-center justify-center font-semibold',
  nav: 'absolute inset-x-0 top-0 flex justify-between',
  button_previous: buttonClass,
  button_next: buttonClass,
  month_grid: 'w-full border-collapse',
  weekday: 'text-12 text-ink-3 size-8 text-center font-normal',
  day: 'p-0',
  day_button:
    'mx-auto block hover:bg-hover rounded-4 size-8 cursor-pointer text-center max-md:size-10',
  today: '[&>button]:underline',
  outside: 'invisible',
  disabled: '[&>button]:opacity-40',
  selected: 'bg-accent-wash',
  range_start: edgeClass,
  range_end: edgeClass,
};

/** The first day of a week in the reader's locale; Monday where the browser does not know. */
function firstWeekday(): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  const locale = new Intl.Locale(navigator.language);
  const info: unknown =
    'getWeekInfo' in locale && typeof locale.getWeekInfo === 'function'
      ? locale.getWeekInfo()
      : null;
  const first = typeof info === 'object' && info !== null && 'firstDay' in info && info.firstDay;
  return first === 7 ? 0 : first === 6 ? 6 : 1;
}

/** A month or more in the reader's locale; selected by pointer, arrow keys and Enter. */
export function Calendar(props: DayPickerProps) {
  return (
    <DayPicker
      {...props}
      weekStartsOn={firstWeekday()}
      classNames={classNames}
      formatters={{
        formatCaption: monthText,
        formatWeekdayName: format({ weekday: 'narrow' }),
      }}
      labels={{
        labelGrid: monthText,
        labelWeekday: format({ weekday: 'long' }),
        labelDayButton: (at, { today, selected }) =>
          `${today === true ? 'Today, ' : ''}${dayText(at)}${selected === true ? ', selected' : ''}`,
        labelPrevious: () => 'Previous month',
        labelNext: () => 'Next month',
      }}
      components={{
        Chevron: ({ orientation }) =>
          orientation === 'left' ? (
            <ChevronLeft aria-hidden="true" size={16} />
          ) : (
            <ChevronRight aria-hidden="true" size={16} />
          ),
      }}
    />
  );
}
