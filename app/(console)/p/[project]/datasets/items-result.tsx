import type { ItemsChanged } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { changesText, plural } from './dataset-words';

const shown = 20;

/** The changes of a request, with the items that were rejected or have equal content. */
export function ItemsResult({ result }: { result: ItemsChanged }) {
  const { version, isNew, duplicates, rejected } = result;
  return (
    <>
      <p>
        {isNew ? `Version ${version.toLocaleString('en')}: ` : 'No new version: '}
        {changesText(result)}.
      </p>
      {duplicates.length === 0 ? null : (
        <Part
          title={`${plural(duplicates.length, 'duplicate')}, stored`}
          note="Their input, context and tools equal those of another item."
          lines={duplicates.map(({ index, sameAs }) => ({ index, text: `same as ${sameAs}` }))}
        />
      )}
      {rejected.length === 0 ? null : (
        <Part
          title={`${rejected.length.toLocaleString('en')} rejected`}
          note="They were not stored."
          lines={rejected.map(({ index, id, message }) => ({ index, id, text: message }))}
        />
      )}
    </>
  );
}

function Part({
  title,
  note,
  lines,
}: {
  title: string;
  note: string;
  lines: readonly { readonly index: number; readonly id?: string | null; readonly text: string }[];
}) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <p className="text-12 text-ink-3">{note}</p>
      <div
        role="region"
        tabIndex={0}
        aria-label={`${title}, list`}
        className="bg-sunken rounded-4 text-12 max-h-48 overflow-y-auto p-2"
      >
        <ul>
          {lines.slice(0, shown).map(({ index, id, text }, at) => (
            <li key={at} className="[overflow-wrap:anywhere]">
              {id == null ? `Item ${(index + 1).toLocaleString('en')}` : <VisibleText text={id} />}:{' '}
              <VisibleText text={text} />
            </li>
          ))}
          {lines.length > shown ? (
            <li className="text-ink-3">{(lines.length - shown).toLocaleString('en')} more</li>
          ) : null}
        </ul>
      </div>
    </section>
  );
}
