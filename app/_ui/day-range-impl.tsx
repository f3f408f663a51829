'use client';

import { Popover } from '@base-ui/react/popover';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import { Calendar } from './calendar';
import type { DayRangeProps } from './day-range';
import { endOfDay, lastDays, rangeText, startOfDay, type TimeRange } from './day-words';
import { dayRangeClass, popoverClass } from './input-styles';

const presets: readonly (readonly [name: string, days: number])[] = [
  ['Today', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
];

export default function DayRangeImpl({ range, onChange }: DayRangeProps) {
  const [isOpen, setOpen] = useState(false);
  const [today] = useState(() => new Date());
  const text = rangeText(range);
  const choose = (chosen: TimeRange) => {
    setOpen(false);
    onChange(chosen);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger aria-label={`Dates: ${text}`} className={dayRangeClass}>
        <CalendarDays aria-hidden="true" size={14} className="text-ink-3 shrink-0" />
        {text}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-50">
          <Popover.Popup aria-label="Dates" className={`${popoverClass} grid gap-3 p-3`}>
            <div className="flex flex-wrap gap-1">
              {presets.map(([name, days]) => (
                <Button key={name} onClick={() => choose(lastDays(days, new Date()))}>
                  {name}
                </Button>
              ))}
              <Button onClick={() => choose({ from: null, to: null })}>Any time</Button>
            </div>
            <Calendar
              mode="range"
              resetOnSelect
              endMonth={today}
              disabled={{ after: today }}
              defaultMonth={range.from ?? range.to ?? today}
              selected={{ from: range.from ?? undefined, to: range.to ?? undefined }}
              onSelect={(selected) =>
                onChange({
                  from: selected?.from === undefined ? null : startOfDay(selected.from),
                  to: selected?.to === undefined ? null : endOfDay(selected.to),
                })
              }
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
