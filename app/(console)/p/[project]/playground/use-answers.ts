'use client';

import { useRef, useState } from 'react';
import { useTRPCClient } from '@/app/_trpc/client';
import type { AnswerUsage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { type Draft, itemText, sentMessages } from './draft';

/** One model's answer to the draft. */
export type Answer =
  | { readonly state: 'streaming'; readonly text: string }
  | {
      readonly state: 'answered';
      readonly text: string;
      readonly usage: AnswerUsage;
      /** The request, for its verification. */
      readonly item: string;
    }
  | { readonly state: 'failed'; readonly text: string; readonly message: string };

/** Calls models, and stores their answers by the key of their column. */
export function useAnswers(project: string) {
  const client = useTRPCClient();
  const [answers, setAnswers] = useState<ReadonlyMap<number, Answer>>(new Map());
  const calls = useRef(new Map<number, AbortController>());
  const setAnswer = (key: number, answer: Answer) =>
    setAnswers((before) => new Map(before).set(key, answer));

  const requestAnswer = async (key: number, model: string, draft: Draft): Promise<void> => {
    calls.current.get(key)?.abort();
    const call = new AbortController();
    calls.current.set(key, call);
    const item = itemText(draft);
    let text = '';
    setAnswer(key, { state: 'streaming', text });
    try {
      const input = { project, model, messages: sentMessages(draft), item };
      const parts = await client.playground.answer.mutate(input, { signal: call.signal });
      for await (const part of parts) {
        if (calls.current.get(key) !== call) return;
        if (part.state === 'streaming') {
          text += part.text;
          setAnswer(key, { state: 'streaming', text });
        } else if (part.state === 'answered') setAnswer(key, { ...part, item });
        else setAnswer(key, { state: 'failed', text, message: sentence(part.message) });
      }
    } catch (error) {
      if (calls.current.get(key) !== call) return;
      const message = call.signal.aborted ? 'Stopped.' : problemOf(error).message;
      setAnswer(key, { state: 'failed', text, message });
    }
    calls.current.delete(key);
    if (calls.current.size === 0) announce('All models have answered');
  };

  return {
    answers,
    requestAnswer,
    stop: () => {
      for (const call of calls.current.values()) call.abort();
    },
    drop: (key: number) => {
      calls.current.get(key)?.abort();
      calls.current.delete(key);
      setAnswers((before) => new Map([...before].filter(([each]) => each !== key)));
    },
  };
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
