import { Dialog } from '../_ui/dialog';
import { type KeyGroup, shortcutsAt } from './shortcuts';

/** The keys of this page first; those of others are collapsed. */
export function ShortcutHelp({ pathname, onClose }: { pathname: string; onClose: () => void }) {
  const { here, otherPages } = shortcutsAt(pathname);
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <div className="grid max-h-[70dvh] gap-4 overflow-y-auto">
        <Groups groups={here} />
        <details>
          <summary className="text-ink-2 cursor-pointer">On other pages</summary>
          <div className="pt-3">
            <Groups groups={otherPages} />
          </div>
        </details>
      </div>
      <form method="dialog" className="flex justify-end pt-4">
        <button
          type="submit"
          className="border-line-strong hover:bg-hover rounded-4 h-8 border px-3"
        >
          Close
        </button>
      </form>
    </Dialog>
  );
}

function Groups({ groups }: { groups: readonly KeyGroup[] }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {groups.map(({ where, keys }) => (
        <section key={where} aria-label={where}>
          <h3 className="text-ink-3 text-12 pb-1">{where}</h3>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
            {keys.map(([key, what]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="bg-sunken border-line rounded-4 text-12 border px-1 font-mono whitespace-nowrap">
                    {key}
                  </kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
