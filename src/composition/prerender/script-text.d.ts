/** The text of a one-file script, which `scripts/vite/early-script.ts` builds. */
declare module '*?script' {
  const text: string;
  export default text;
}
