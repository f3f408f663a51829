import { Columns3 } from 'lucide-react';

/** The content of the button, also while the menu is loading. */
export function ColumnChoiceText() {
  return (
    <>
      <Columns3 aria-hidden="true" size={14} /> Columns
    </>
  );
}
