'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';

/** A small share with two daily limits keeps the first bill small. */
const taskRule = {
  verifier: 'task',
  sampling: 0.05,
  daily_budget: 200,
  daily_budget_usd: 1,
} as const;
const name = 'task';

/**
 * Offers a rule for `task` after a provider was added: the general criteria on a small share of
 * turns. Renders nothing if the project already has a rule for this verifier.
 */
export function TaskRuleOffer({ project, onClose }: { project: string; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.rules.list.queryOptions({ project });
  const { data: rules } = useQuery(options);
  const put = useMutation(
    trpc.rules.put.mutationOptions({
      onSuccess: () => {
        announce('Rule created');
        void client.invalidateQueries({ queryKey: options.queryKey });
        onClose();
      },
    }),
  );
  if (rules === undefined) return null;
  if (rules.some((rule) => rule.verifier === taskRule.verifier || rule.name === name)) return null;
  return (
    <Panel title="Verify 5% of turns with the task verifier?">
      <div className="grid gap-3 p-4">
        <p>
          A judge scores whether the answer does the task, is complete and is correct, on 5% of the
          turns that arrive: at most {taskRule.daily_budget} turns and {taskRule.daily_budget_usd}{' '}
          US dollar a day. Everything can be changed under{' '}
          <Link href={`/p/${project}/rules`} className="underline">
            Rules
          </Link>
          .
        </p>
        <FieldError text={put.error ? problemOf(put.error).message : null} />
        <div className="flex gap-2">
          <Button
            variant="primary"
            busy={put.isPending}
            onClick={() => put.mutate({ project, name, rule: taskRule })}
          >
            Create rule
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </div>
      </div>
    </Panel>
  );
}
