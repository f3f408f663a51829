'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select } from '@base-ui/react/select';
import { Check } from 'lucide-react';
import { popoverClass, SelectText } from './input-styles';
import type { SelectOption, SelectProps } from './select';

interface SelectImplProps extends SelectProps<string> {
  readonly groups: NonNullable<SelectProps<string>['groups']>;
  /** The classes of the control. */
  readonly controlClass: string;
  /** The text of the chosen value. */
  readonly text: string;
}

export default function SelectImpl({
  id,
  label,
  describedBy,
  isInvalid = false,
  disabled = false,
  value,
  options,
  groups,
  onChange,
  controlClass,
  text,
  ref,
}: SelectImplProps) {
  return (
    // The page's policy refuses style elements; the one refused here only hides a scroll bar.
    <CSPProvider disableStyleElements>
      <Select.Root
        value={value}
        disabled={disabled}
        modal={false}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      >
        <Select.Trigger
          ref={ref}
          id={id}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid ? true : undefined}
          className={controlClass}
        >
          <SelectText text={text} />
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner
            alignItemWithTrigger={false}
            align="start"
            sideOffset={4}
            className="z-50 outline-none"
          >
            <Select.Popup
              className={`${popoverClass} max-h-[min(var(--available-height),360px)] min-w-(--anchor-width) sm:max-w-120`}
            >
              <Select.List className="py-1 outline-none">
                <Choices options={options} />
                {groups.map((group) => (
                  <Select.Group key={group.name}>
                    <Select.GroupLabel className="text-12 text-ink-3 px-2 pt-2 pb-1">
                      {group.name}
                    </Select.GroupLabel>
                    <Choices options={group.options} />
                  </Select.Group>
                ))}
              </Select.List>
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </CSPProvider>
  );
}

function Choices({ options }: { options: readonly SelectOption[] }) {
  return options.map(([value, text]) => (
    <Select.Item
      key={value}
      value={value}
      className="data-highlighted:bg-hover flex min-h-8 cursor-pointer items-center gap-2 px-2 py-1 outline-none max-md:min-h-11"
    >
      <span className="size-3.5 shrink-0">
        <Select.ItemIndicator>
          <Check aria-hidden="true" size={14} />
        </Select.ItemIndicator>
      </span>
      <Select.ItemText className="min-w-0 [overflow-wrap:anywhere]">{text}</Select.ItemText>
    </Select.Item>
  ));
}
