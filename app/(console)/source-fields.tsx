import type { ReactNode } from 'react';
import { TextAreaField } from '@/app/_ui/field';
import { SettingHint, SwitchSetting } from './switch-setting';

/** Parts of messages that count as sources, as people write them. */
export interface SourceDraft {
  /** One block per line (`source-lines.ts`). */
  readonly sourceBlocks: string;
  readonly documents: boolean;
  readonly earlierMessages: boolean;
}

interface SourceFieldsProps {
  draft: SourceDraft;
  errors: { readonly sourceBlocks?: string | undefined };
  locked?: boolean;
  onChange: (part: Partial<SourceDraft>) => void;
  /** Origin of a field's value. */
  sourceText?: (field: keyof SourceDraft) => string;
  /** Further settings. */
  children?: ReactNode;
}

/** Configures which parts of messages count as sources. */
export function SourceFields({
  draft,
  errors,
  locked = false,
  onChange,
  sourceText = () => '',
  children,
}: SourceFieldsProps) {
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <TextAreaField
        label="Retrieved blocks in messages"
        mono
        disabled={locked}
        placeholder="<context>"
        value={draft.sourceBlocks}
        error={errors.sourceBlocks}
        onChange={(event) => onChange({ sourceBlocks: event.target.value })}
        hint={
          <SettingHint
            meaning="One per line: <tag>, # Heading, start … end, or /RE2 pattern/. Begin a line with “user:” or “system:” for messages of one role. Figures of these blocks count as sourced."
            source={sourceText('sourceBlocks')}
          />
        }
      />
      <div className="grid gap-4">
        <SwitchSetting
          label="Document blocks count as sources"
          meaning="Text of document and search_result blocks in Anthropic messages."
          source={sourceText('documents')}
          on={draft.documents}
          locked={locked}
          onChange={(documents) => onChange({ documents })}
        />
        <SwitchSetting
          label="Sources of earlier turns count as well"
          meaning="Tool results, blocks and documents of the same conversation, where the request repeats them."
          source={sourceText('earlierMessages')}
          on={draft.earlierMessages}
          locked={locked}
          onChange={(earlierMessages) => onChange({ earlierMessages })}
        />
        {children}
      </div>
    </div>
  );
}
