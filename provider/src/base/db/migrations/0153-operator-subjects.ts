/** The account at the company's provider by which an operator logs in; null for an operator with passkeys. */
export const OPERATOR_SUBJECTS: readonly string[] = [
  `alter table operators add column issuer text, add column subject text,
     add constraint operators_subject unique (issuer, subject)`,
];
