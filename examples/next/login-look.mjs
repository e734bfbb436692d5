/** For `npx portico prerender`: the styles of app/login/sign-in.tsx, which the style sheet of the first screen contains. */
export default { styles: { preset: 'modern' } };
