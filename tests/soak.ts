/** `SOAK=1` runs the tests that are long and rarely fail, and repeats the others more often. */
export const SOAK: boolean = process.env['SOAK'] === '1';
