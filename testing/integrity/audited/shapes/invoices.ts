import { auditedShape } from '../shape';
import { json, rowsOf, table } from '../../table';

const bills = table(`
inv | number | customer | issued | due | net_eur | vat_eur | total_eur | status
a | INV-2041 | Halden AS | 2024-02-01 | 2024-03-02 | 1250.00 | 237.50 | 1487.50 | paid
b | INV-2042 | Brix GmbH | 2024-02-05 | 2024-03-06 | 840.00 | 159.60 | 999.60 | open
c | INV-2043 | Oru Ltd | 2024-02-12 | 2024-03-13 | 3175.40 | 603.33 | 3778.73 | overdue
d | INV-2044 | Halden AS | 2024-02-20 | 2024-03-21 | 460.00 | 87.40 | 547.40 | open
`);
const lines = table(`
line | invoice | item | quantity | unit_price_eur | amount_eur
l1 | INV-2043 | Sensor kit | 14 | 129.50 | 1813.00
l2 | INV-2043 | Gateway | 3 | 389.00 | 1167.00
l3 | INV-2043 | Freight | 1 | 195.40 | 195.40
`);

export const invoices = auditedShape(
  'invoices',
  [bills, lines],
  [
    json('list_invoices', { invoices: rowsOf(bills) }),
    json('get_invoice', { lines: rowsOf(lines) }),
  ],
  `
INV-2043 for Oru Ltd is overdue: {€3,778.73=c.total_eur}, of which {€603.33=c.vat_eur} is VAT. It was due
on {13 March 2024=c.due}.

Halden AS has two invoices, one of {€1,487.50=a.total_eur} issued on {1 February=a.issued} and one of
{€547.40=d.total_eur} issued on {5 February!date d.issued <- b.issued}.

- INV-2041: {€1,487.50=a.total_eur}, paid
- INV-2042: {€999.60=b.total_eur}, open until {6 March=b.due}
- INV-2044: {€547.40=d.total_eur}, open until {21 March=d.due}

Two invoices are still open, INV-2042 ({€999.60=b.total_eur}) and INV-2044 ({€460.00!quantity d.total_eur <- d.net_eur}
including VAT).

The open invoices add up to {€1,547.00=b.total_eur+d.total_eur}, and {€3,778.73=c.total_eur} more is
overdue.

INV-2043 has {14=l1.quantity} sensor kits at {€129.50=l1.unit_price_eur} each, {3=l2.quantity} gateways at
{€389.00=l2.unit_price_eur} each, and freight of {€195.40=l3.amount_eur}.

The sensor kits on INV-2043 cost {€1,167.00!place l1.amount_eur <- l2.amount_eur} in total, the gateways
{€1,813.00!place l2.amount_eur <- l1.amount_eur}.

Payment terms are {30 days=days(a.issued, a.due)}: INV-2041 was issued on {2024-02-01=a.issued} and due on
{2024-03-02=a.due}.

Net, the four invoices come to {€5,725.40=sum(all.net_eur)}; VAT adds {€1,087.83=sum(all.vat_eur)}.

The largest invoice is INV-2043 at {€3,778.73=max(all.total_eur)}, the smallest INV-2044 at
{€999.60!extreme min(all.total_eur) <- b.total_eur}.

Brix GmbH was billed {$999.60!unit ; the source has euros} on {5 February=b.issued}. The net amount is
{840.00=b.net_eur}.

VAT is charged at {19%=share(a.vat_eur, a.net_eur)} throughout, for example {€159.60=b.vat_eur} on a net
amount of {€840.00=b.net_eur}.

INV-2042 was issued on {February 5, 2024=b.issued} and is due on {March 2, 2024!date b.due <- a.due}. The
amount is {€999.60=b.total_eur}.

Oru Ltd has to pay {€3,778.73=c.total_eur} ({€3,157.40!digits c.net_eur ; two digits are exchanged} net). The
invoice lists {3=count(l1:l3.amount_eur)} positions.

In total {€6,813.23=sum(all.total_eur)} was invoiced in February {2024=a.issued}, with Halden AS accounting
for {€2,304.90!derived a.total_eur+d.total_eur} of it.
`,
);
