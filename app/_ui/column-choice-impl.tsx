'use client';

import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { buttonClass } from './button';
import type { ColumnChoiceProps } from './column-choice';
import { ColumnChoiceText } from './column-choice-text';
import { popoverClass } from './input-styles';
import { chooseColumns, isChoosable, useChosenColumns } from './shown-columns';

const itemClass =
  'data-highlighted:bg-hover flex min-h-8 cursor-pointer items-center gap-2 px-2 py-1 outline-none max-md:min-h-11';

/** Which of the usual columns are shown depends on the width of the table. */
function isVisible(name: string, id: string): boolean {
  const head = document.querySelector(`table[data-list="${name}"] th[data-column="${id}"]`);
  return head !== null && getComputedStyle(head).display !== 'none';
}

export default function ColumnChoiceImpl({ name, columns }: ColumnChoiceProps) {
  const chosen = useChosenColumns(name);
  const choosable = columns.filter(isChoosable);
  const [usual, setUsual] = useState<readonly string[]>([]);
  const shown = chosen ?? usual;
  const toggle = (id: string) => {
    const ids = shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id];
    chooseColumns(name, ids);
  };
  return (
    <Menu.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) setUsual(choosable.map(({ id }) => id).filter((id) => isVisible(name, id)));
      }}
    >
      <Menu.Trigger className={buttonClass()}>
        <ColumnChoiceText />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50 outline-none">
          <Menu.Popup className={`${popoverClass} min-w-44 py-1`}>
            {choosable.map(({ id, head }) => (
              <Menu.CheckboxItem
                key={id}
                checked={shown.includes(id)}
                closeOnClick={false}
                onCheckedChange={() => toggle(id)}
                className={itemClass}
              >
                <span className="size-3.5 shrink-0">
                  <Menu.CheckboxItemIndicator>
                    <Check aria-hidden="true" size={14} />
                  </Menu.CheckboxItemIndicator>
                </span>
                {head}
              </Menu.CheckboxItem>
            ))}
            <Menu.Separator className="border-line my-1 border-t" />
            <Menu.Item
              disabled={chosen === null}
              onClick={() => chooseColumns(name, null)}
              className={`${itemClass} data-disabled:opacity-60`}
            >
              <span className="size-3.5 shrink-0" />
              Usual columns
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
