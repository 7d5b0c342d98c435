// Lists the libraries that a package contains because they are bundled into it: its software bill of materials (SBOM), in
// CycloneDX. Packages that npm installs beside it are not in it: `npm sbom` lists those of a project.

import { join, relative } from "node:path"
import { readJson, root } from "./repository.mjs"

/**
 * Returns the document for the package in `folder`. It is the same for the same contents: it has no time and no serial
 * number.
 */
export async function listMaterials(folder, bundled) {
  const { packages } = await readJson(join(root, "package-lock.json"))
  const manifest = await readJson(join(folder, "package.json"))
  const components = bundled.map((library) => {
    const place = relative(root, library.folder).replaceAll("\\", "/")
    return { ...describe(library), type: "library", scope: "required", ...hashes(packages[place]) }
  })
  const own = { ...describe(manifest), type: "application", description: manifest.description }
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own["bom-ref"], dependsOn: components.map((library) => library["bom-ref"]) }],
  }
}

function describe({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`
  const isExpression = /[ (]/.test(license)
  const licenses = [isExpression ? { expression: license } : { license: { id: license } }]
  return { "bom-ref": purl, name, version, purl, licenses }
}

/** The digest of the archive from the registry, which npm has checked. */
function hashes({ integrity }) {
  const digest = /^sha512-(.+)$/.exec(integrity)?.[1]
  if (digest === undefined) throw new Error("package-lock.json has no sha512 digest of a bundled library")
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }
}
