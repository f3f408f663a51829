'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import {
  type DraftErrors,
  draftOf,
  fieldErrorsOf,
  newDraft,
  readDraft,
  type RuleDraft,
  type RuleVerifier,
} from './rule-draft';
import { RuleFields } from './rule-fields';
import { RulePreview } from './rule-preview';

interface RuleDialogProps {
  project: string;
  /** Null for a new rule. */
  rule: Rule | null;
  /** Names that are taken. */
  names: readonly string[];
  verifiers: readonly RuleVerifier[];
  onSaved: () => void;
  onClose: () => void;
}

export function RuleDialog({ project, rule, names, verifiers, onSaved, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState<RuleDraft>(rule === null ? newDraft : draftOf(rule));
  const [errors, setErrors] = useState<DraftErrors>({});
  const put = useMutation(
    useTRPC().rules.put.mutationOptions({
      onSuccess: () => {
        announce(rule === null ? 'Rule created' : 'Rule changed');
        onSaved();
        onClose();
      },
      onError: (error) => setErrors(fieldErrorsOf(problemOf(error).fields)),
    }),
  );
  const submit = () => {
    const read = readDraft(draft);
    const taken = rule === null && names.includes(draft.name.trim());
    if ('errors' in read || taken)
      return setErrors({
        ...('errors' in read ? read.errors : {}),
        ...(taken && { name: 'There is a rule of this name.' }),
      });
    setErrors({});
    put.mutate({ project, ...read });
  };
  return (
    <Dialog title={rule === null ? 'Create rule' : `Edit the rule ${rule.name}`} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <RuleFields
          draft={draft}
          errors={errors}
          isNew={rule === null}
          verifiers={verifiers}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
        <RulePreview project={project} draft={draft} />
        <FieldError
          text={put.error && Object.keys(errors).length === 0 ? problemOf(put.error).message : null}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={put.isPending}>
            {rule === null ? 'Create rule' : 'Save rule'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
