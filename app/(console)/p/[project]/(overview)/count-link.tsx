import Link from 'next/link';

interface CountLinkProps {
  count: number;
  /** Of what, for those who hear it. */
  name: string;
  /** The list of exactly what is counted. */
  href: string;
  /** What is counted in the rows of that list, where it is not they. */
  unit?: 'figures';
}

export function CountLink({ count, name, href, unit }: CountLinkProps) {
  const text = count.toLocaleString('en');
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={`${text}, ${name}`}
      data-counts={count}
      data-unit={unit}
      className="underline"
    >
      {text}
    </Link>
  );
}
