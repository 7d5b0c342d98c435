// The form of a group block, which has nothing but its blocks.

export function GroupForm() {
  return (
    <p className="form-note">
      A group bundles its blocks under one name. They run as if they stood outside of it, and their results
      are read by their ids alone.
    </p>
  )
}
