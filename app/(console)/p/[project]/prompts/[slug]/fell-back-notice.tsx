import type { PromptDetail } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { textName } from './text-name';

/** it must be obvious when a text other than the promoted one runs. */
export function FellBackNotice({
  fellBack,
  base = 0,
}: {
  fellBack: PromptDetail['fellBack'];
  base?: PromptDetail['base'];
}) {
  if (fellBack === null) return null;
  return (
    <section
      aria-label="The promoted version does not run"
      className="bg-loud border-loud-line rounded-4 border-l-2 px-4 py-2"
    >
      <p>
        <strong className="font-semibold">Judges use the text of {textName(base)}. </strong>
        Production names version {fellBack.version}, which cannot be used:{' '}
        <VisibleText text={fellBack.message} />. Promote another version to end this.
      </p>
    </section>
  );
}
