import { useState } from 'react';
import type { CodeView } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../block';
import type { Finding } from './findings';

interface FileColumnProps {
  files: CodeView['files'];
  deliverables: CodeView['deliverables'];
  findings: ReadonlyMap<string, readonly Finding[]>;
}

/** Lines shown before the file is expanded. */
const shownLines = 400;
const none: readonly Finding[] = [];

/** The files as sent, with findings at their lines, and required files that are missing. */
export function FileColumn({ files, deliverables, findings }: FileColumnProps) {
  const missing = deliverables.filter(({ isThere }) => !isThere);
  return (
    <div className="grid content-start gap-4">
      {missing.length === 0 ? null : (
        <Block title="Not written">
          <ul className="text-12 grid gap-1 font-mono">
            {missing.map(({ path }) => (
              <li key={path} className="[overflow-wrap:anywhere]">
                <VisibleText text={path} />
              </li>
            ))}
          </ul>
        </Block>
      )}
      {files.map(({ path, content }) => (
        <FileBlock key={path} path={path} content={content} findings={findings.get(path) ?? none} />
      ))}
      {files.length === 0 ? <p className="text-ink-2">No file was submitted.</p> : null}
    </div>
  );
}

function FileBlock({
  path,
  content,
  findings,
}: {
  path: string;
  content: string;
  findings: readonly Finding[];
}) {
  const [all, setAll] = useState(false);
  const lines = content.split('\n');
  const last = findings.reduce((max, { line }) => Math.max(max, line), 0);
  const shown = all ? lines : lines.slice(0, Math.max(shownLines, Math.min(last, shownLines * 5)));
  const faults = findings.filter(({ kind }) => kind === 'fault').length;
  return (
    <Block
      title={
        <code className="text-12 font-mono">
          <VisibleText text={path} />
        </code>
      }
      aside={
        <span className="text-12 text-ink-3">
          {lines.length.toLocaleString('en')} lines{faults > 0 ? ` · ${faults} found` : ''}
        </span>
      }
    >
      <div className="-m-3 overflow-x-auto" tabIndex={0} role="region" aria-label={`${path}, text`}>
        <ol className="text-12 min-w-max py-2 font-mono">
          {shown.map((text, at) => (
            <Line
              key={at}
              number={at + 1}
              text={text}
              findings={findings.filter(({ line }) => line === at + 1)}
            />
          ))}
        </ol>
      </div>
      {shown.length < lines.length ? (
        <div className="pt-5">
          <Button onClick={() => setAll(true)}>
            Show all {lines.length.toLocaleString('en')} lines
          </Button>
        </div>
      ) : null}
    </Block>
  );
}

function Line({
  number,
  text,
  findings,
}: {
  number: number;
  text: string;
  findings: readonly Finding[];
}) {
  const isFault = findings.some(({ kind }) => kind === 'fault');
  const wash = isFault ? 'bg-fail-wash' : findings.length > 0 ? 'bg-pass-wash' : '';
  return (
    <li className={`grid grid-cols-[48px_minmax(0,1fr)] ${wash}`}>
      <span className="text-ink-3 pr-3 text-right select-none" aria-hidden="true">
        {number}
      </span>
      <span className="pr-3 whitespace-pre [unicode-bidi:isolate]">
        <VisibleText text={text} />
        {findings.map(({ kind, message }, at) => (
          <span key={at} className="text-ink-2 block font-sans whitespace-normal">
            {kind === 'fault' ? '✗' : '✓'} <VisibleText text={message} />
          </span>
        ))}
      </span>
    </li>
  );
}
