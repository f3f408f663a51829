'use client';

import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import { textName } from './change-panel';
import { LastTrial } from './last-trial';

interface PromoteDialogProps {
  project: string;
  prompt: PromptDetail;
  version: number;
  onDone: () => void;
  onClose: () => void;
}

/** Says whose verdicts change and whose do not. */
export function PromoteDialog({ project, prompt, version, onDone, onClose }: PromoteDialogProps) {
  const now = prompt.production.version;
  const isBack = version < now;
  const title = isBack ? `Roll back to ${textName(version)}` : `Promote ${textName(version)}`;
  const move = useMutation(
    useTRPC().prompts.moveLabel.mutationOptions({
      onSuccess: () => {
        announce(`${prompt.title} now runs with ${textName(version)}`);
        onDone();
        onClose();
      },
    }),
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="grid gap-3">
        <p className="text-ink-2">
          Every judge that is asked from now on gets {textName(version)} in place of {textName(prompt.fellBack === null ? now : 0)}. Runs in
          progress keep what they began with, stored verdicts stay, and you can go back at any time.
        </p>
        <LastTrial {...{ project, version }} slug={prompt.slug} />
        <FieldError text={move.error ? problemOf(move.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={move.isPending}
            onClick={() => move.mutate({ project, slug: prompt.slug, label: 'production', version })}
          >
            {isBack ? 'Roll back' : 'Promote'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
