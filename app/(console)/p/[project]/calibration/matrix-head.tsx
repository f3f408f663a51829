/** The head of a confusion matrix: the truth in columns, the verifier in rows. */
export function MatrixHead() {
  return (
    <thead className="text-12 text-ink-2">
      <tr className="border-line h-8 border-b">
        <td />
        <th scope="col" className="px-4">
          Bad
        </th>
        <th scope="col" className="px-4">
          Good
        </th>
      </tr>
    </thead>
  );
}
