'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Panel } from '@/app/_ui/panel';

/** The small share and the two daily limits keep the first bill small. */
const taskRule = {
  verifier: 'task',
  sampling: 0.05,
  daily_budget: 200,
  daily_budget_usd: 1,
} as const;
const ruleName = 'task';

/**
 * Offers to create a rule for the verifier `task` after a provider was added. The rule applies the
 * general criteria to a small share of turns. Renders nothing if the project already has such a
 * rule.
 */
export function TaskRuleOffer({ project, onClose }: { project: string; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.rules.list.queryOptions({ project });
  const { data: rules } = useQuery(options);
  const createRule = useMutation(
    trpc.rules.put.mutationOptions({
      onSuccess: () => {
        announce('Rule created');
        void client.invalidateQueries({ queryKey: options.queryKey });
        onClose();
      },
    }),
  );
  if (rules === undefined) return null;
  if (rules.some((rule) => rule.verifier === taskRule.verifier || rule.name === ruleName))
    return null;
  return (
    <Panel title="Verify 5% of turns with the task verifier?">
      <div className="grid gap-3 p-4">
        <p>
          A judge scores whether the answer does the task, is complete and is correct. It judges 5%
          of incoming turns: at most {taskRule.daily_budget} turns and {taskRule.daily_budget_usd}{' '}
          US dollar a day. You can change the rule under{' '}
          <Link href={`/p/${project}/rules`} className="underline">
            Rules
          </Link>
          .
        </p>
        <FieldError text={createRule.error ? problemOf(createRule.error).message : null} />
        <div className="flex gap-2">
          <Button
            variant="primary"
            busy={createRule.isPending}
            onClick={() => createRule.mutate({ project, name: ruleName, rule: taskRule })}
          >
            Create rule
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </div>
      </div>
    </Panel>
  );
}
