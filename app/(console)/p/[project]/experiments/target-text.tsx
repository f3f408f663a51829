import Link from 'next/link';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { promptHref, storedPromptOf, targetText } from './experiment-words';

/** A target in words; its stored prompt leads to the page of that version. */
export function TargetText({
  project,
  target,
}: {
  project: string;
  target: Readonly<Record<string, unknown>>;
}) {
  const prompt = storedPromptOf(target);
  const text = targetText(target);
  if (prompt === null)
    return (
      <span title={plainText(text)}>
        <VisibleText text={text} />
      </span>
    );
  return (
    <span title={plainText(text)}>
      <VisibleText text={`${text.slice(0, -prompt.name.length)}`} />
      <Link href={promptHref(project, prompt)} prefetch={false} className="underline">
        {prompt.name}
      </Link>
    </span>
  );
}
