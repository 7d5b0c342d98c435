// The top of the site's home page. Below it is README.md, with its links to all pages.

export const home = {
  layout: "home",
  hero: {
    name: "callsheet",
    text: "Test HTTP APIs with plain files",
    tagline:
      "A workflow is a file in your repository. It calls the OpenAPI operations of your APIs and checks the responses. One command runs it on your machine and in CI.",
    actions: [
      { text: "Write your first test", link: "/start/getting-started" },
      { text: "Install", link: "/start/install", theme: "alt" },
      { text: "Compare", link: "/start/comparison", theme: "alt" },
    ],
  },
  features: [
    {
      title: "Check contracts",
      details: "Compare every response with your OpenAPI document, versions 2.0 to 3.2.",
      link: "/guide/contracts",
    },
    {
      title: "Find mistakes early",
      details: "Find wrong paths, types and names without sending a request.",
      link: "/reference/validate",
    },
    {
      title: "Keep secrets secret",
      details: "Share reports: callsheet masks secrets, even encoded ones.",
      link: "/guide/secrets",
    },
    {
      title: "Combine APIs",
      details: "Call several APIs in one workflow, each with its own environment.",
      link: "/guide/environments",
    },
    {
      title: "Use your browser",
      details: "Write, run and debug workflows in a local web app.",
      link: "/guide/app",
    },
    {
      title: "Bring your collections",
      details: "Import from Postman, Bruno, Insomnia, HAR files and curl.",
      link: "/reference/import",
    },
  ],
}
