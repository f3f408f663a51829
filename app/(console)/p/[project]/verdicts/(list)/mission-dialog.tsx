'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { MissionPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { JudgeField } from '../../settings/judging/judge-field';
import { draftOf, type MissionDraft, type MissionErrors, readMission } from './mission-draft';

interface MissionDialogProps {
  project: string;
  mission: string;
  page: MissionPage;
  onClose: () => void;
}

/**
 * VS-33, VS-45: the judge of one mission, and the cost above which a person reviews its verdicts.
 */
export function MissionDialog({ project, mission, page, onClose }: MissionDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [draft, setDraft] = useState(draftOf(page.settings));
  const [errors, setErrors] = useState<MissionErrors>({});
  const save = useMutation(
    trpc.missions.putSettings.mutationOptions({
      onSuccess: async () => {
        announce('Mission settings saved');
        await client.invalidateQueries({
          queryKey: trpc.missions.get.queryKey({ project, mission }),
        });
        onClose();
      },
    }),
  );
  const change = (part: Partial<MissionDraft>) => {
    setErrors({});
    save.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const submit = () => {
    const body = readMission(draft);
    if ('errors' in body) setErrors(body.errors);
    else save.mutate({ project, mission, body });
  };
  return (
    <FormDialog
      title="Mission settings"
      onClose={onClose}
      action="Save settings"
      busy={save.isPending}
      problem={save.error ? problemOf(save.error).message : null}
      onSubmit={submit}
    >
      <p className="text-ink-2">
        These apply to verdicts from now on. Stored verdicts do not change.
      </p>
      <JudgeField
        label="Judge"
        hint="Replaces the default judge. It never judges work of its own family; another model does."
        none="Default judge of the project"
        models={page.models}
        value={draft.judge}
        error={errors.judge}
        disabled={false}
        onChange={(judge) => change({ judge })}
      />
      <Field
        label="Review limit, US dollars"
        hint="Above this cost of work and judging a person reviews every further verdict. Empty: no limit."
        inputMode="decimal"
        autoComplete="off"
        value={draft.limit}
        error={errors.limit}
        onChange={(event) => change({ limit: event.target.value })}
      />
    </FormDialog>
  );
}
