'use client';

import { Popover } from '@base-ui/react/popover';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { Calendar } from './calendar';
import type { DayButtonProps } from './day-field';
import { readDay, writeDay } from './day-words';
import { inputClass, popoverClass } from './input-styles';

export default function DayButtonImpl({ value, max = '', onChange }: DayButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [today] = useState(() => new Date());
  const chosen = readDay(value);
  const last = readDay(max);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label="Choose a day"
        className={`${inputClass} flex w-8! shrink-0 cursor-pointer items-center justify-center px-0!`}
      >
        <CalendarDays aria-hidden="true" size={14} className="text-ink-2" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup aria-label="Choose a day" className={`${popoverClass} p-3`}>
            <Calendar
              mode="single"
              selected={chosen ?? undefined}
              defaultMonth={chosen ?? last ?? today}
              {...(last === null ? {} : { endMonth: last, disabled: { after: last } })}
              onSelect={(day) => {
                setOpen(false);
                if (day !== undefined) onChange(writeDay(day));
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
