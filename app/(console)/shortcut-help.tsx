import { Dialog } from '../_ui/dialog';

const keys: readonly { readonly where: string; readonly list: readonly (readonly [string, string])[] }[] = [
  {
    where: 'Everywhere',
    list: [
      ['Ctrl K or ⌘ K', 'Commands: pages and projects'],
      ['?', 'These shortcuts'],
      ['Escape', 'Close, or return to the list'],
    ],
  },
  { where: 'Overview', list: [['t', 'Chart or table']] },
  {
    where: 'Lists',
    list: [
      ['j, k', 'Next, previous row'],
      ['Enter', 'Open the row'],
      ['/', 'Filter by text'],
    ],
  },
  {
    where: 'Verdict',
    list: [
      ['j, k', 'Next, previous verdict of the list'],
      ['n, p', 'Next, previous figure or passage'],
      ['Enter', 'From a figure to its source, and back'],
    ],
  },
  {
    where: 'Review',
    list: [
      ['1, 2, 3', 'Pass, fail, cannot tell'],
      ['g, then 1–5', 'Grade'],
      ['r', 'Reason; Enter sends or keeps it'],
      ['u', 'Take the last ruling back'],
      ['j, k', 'Next, previous item'],
      ['Enter', 'Open the verdict'],
    ],
  },
  {
    where: 'Trace',
    list: [
      ['j, k', 'Next, previous span'],
      ['←, →', 'Fold, open'],
      ['Enter', 'Into the content; Escape back'],
    ],
  },
  { where: 'Session', list: [['j, k', 'Next, previous turn']] },
  {
    where: 'Prompt',
    list: [
      ['j, k', 'Next, previous version'],
      ['e', 'Into the text; Escape back'],
      ['Ctrl S or ⌘ S', 'Save'],
    ],
  },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        {keys.map((group) => (
          <section key={group.where} aria-label={group.where}>
            <h3 className="text-ink-3 text-12 pb-1">{group.where}</h3>
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
              {group.list.map(([key, what]) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="bg-sunken border-line rounded-4 text-12 border px-1 font-mono whitespace-nowrap">{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog" className="flex justify-end pt-4">
        <button type="submit" className="border-line-strong hover:bg-hover rounded-4 h-8 border px-3">
          Close
        </button>
      </form>
    </Dialog>
  );
}
