/**
 * The result of one send. `silent`: the destination did not answer. `final`: another attempt would
 * not help. `log` may contain more than `reason`, which is shown to people (S-47).
 */
export type Sent =
  | { readonly state: 'delivered'; readonly remark: string | null }
  | {
      readonly state: 'failed' | 'silent' | 'final';
      readonly reason: string;
      readonly log: string;
    };
