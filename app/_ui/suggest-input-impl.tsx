'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { useState } from 'react';
import { inputClass, popoverClass } from './input-styles';
import type { SuggestInputProps } from './suggest-field';

export default function SuggestInputImpl({
  id,
  value,
  suggestions,
  describedBy,
  isInvalid,
  mono,
  onChange,
}: SuggestInputProps) {
  const [isOpen, setOpen] = useState(false);
  const typed = value.toLowerCase();
  const items = [...new Set(suggestions)].filter((each) => each.toLowerCase().includes(typed));
  return (
    <Autocomplete.Root
      items={items}
      filter={null}
      value={value}
      onValueChange={onChange}
      openOnInputClick
      // An open list hides the rest of the page from screen readers: an empty one must not.
      open={isOpen && items.length > 0}
      onOpenChange={setOpen}
    >
      <Autocomplete.Input
        id={id}
        autoComplete="off"
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? true : undefined}
        className={`${inputClass} ${mono ? 'font-mono' : ''}`}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner align="start" sideOffset={4} className="z-50 outline-none">
          <Autocomplete.Popup
            className={`${popoverClass} max-h-[min(var(--available-height),240px)] w-(--anchor-width)`}
          >
            <Autocomplete.List className="py-1">
              {(item: string) => (
                <Autocomplete.Item
                  key={item}
                  value={item}
                  className={`data-highlighted:bg-hover flex min-h-8 cursor-pointer items-center px-2 py-1 [overflow-wrap:anywhere] outline-none max-md:min-h-11 ${mono ? 'font-mono' : ''}`}
                >
                  {item}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
