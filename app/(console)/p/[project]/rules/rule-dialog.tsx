'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
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
    const isNameTaken = rule === null && names.includes(draft.name.trim());
    if ('errors' in read || isNameTaken)
      return setErrors({
        ...('errors' in read ? read.errors : {}),
        ...(isNameTaken && { name: 'There is a rule of this name.' }),
      });
    setErrors({});
    put.mutate({ project, ...read });
  };
  return (
    <FormDialog
      title={rule === null ? 'Create rule' : `Edit the rule ${rule.name}`}
      onClose={onClose}
      action={rule === null ? 'Create rule' : 'Save rule'}
      busy={put.isPending}
      problem={put.error && Object.keys(errors).length === 0 ? problemOf(put.error).message : null}
      onSubmit={submit}
    >
      <RuleFields
        draft={draft}
        errors={errors}
        isNew={rule === null}
        verifiers={verifiers}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <RulePreview project={project} draft={draft} />
    </FormDialog>
  );
}
