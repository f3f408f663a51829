import { useId, useRef } from 'react';
import { VisibleText } from '@/app/_ui/visible-text';
import { inputClass } from '@/app/_ui/input-styles';
import { Panel } from '@/app/_ui/panel';
import { type Fault, rangeOfLine } from './draft';

interface DefinitionEditorProps {
  text: string;
  faults: readonly Fault[];
  readOnly: boolean;
  onChange: (text: string) => void;
}

/** The definition as YAML, and its errors, each leading to its line. */
export function DefinitionEditor({ text, faults, readOnly, onChange }: DefinitionEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const goTo = (line: number) => {
    const [start, end] = rangeOfLine(text, line);
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  };
  return (
    <Panel title="Definition">
      <div className="grid gap-2 p-4">
        <label htmlFor={id} className="font-semibold">
          Definition, YAML
        </label>
        <div role="alert" id={`${id}-faults`} className="empty:hidden">
          {faults.length === 0 ? null : (
            <ul className="bg-loud border-loud-line rounded-4 grid gap-1 border-l-2 px-3 py-2">
              {faults.map(({ line, message }, at) => (
                <li key={at} className="[overflow-wrap:anywhere]">
                  {line === null ? null : (
                    <>
                      <button
                        type="button"
                        className="font-semibold underline"
                        onClick={() => goTo(line)}
                      >
                        Line {line}
                      </button>
                      :{' '}
                    </>
                  )}
                  <VisibleText text={message} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <textarea
          ref={area}
          id={id}
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          rows={Math.min(40, Math.max(20, text.split('\n').length + 1))}
          aria-invalid={faults.length > 0 ? true : undefined}
          aria-describedby={`${id}-faults ${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClass} h-auto py-1.5 font-mono`}
        />
        <p id={`${id}-hint`} className="text-12 text-ink-3">
          A file with this text works with <code>assay verifiers apply</code>; as JSON it is the
          body of PUT /v1/verifiers/&#123;slug&#125;.
        </p>
      </div>
    </Panel>
  );
}
