//! What is the same for every task, as a macro by example: rustc expands it far faster than a procedural macro, built
//! without optimisation as those are, could write it out.

/// The type of a task or a hook, what it tells the graph and the driver, and its `Debug`.
///
/// `$line` and `$column` are those of the item's name. `$own_identity` is `own` where the table holds orders: items may
/// name each other in theirs, so that the identity must not be read out of the table.
#[doc(hidden)]
#[macro_export]
macro_rules! __declare_task {
    (
        [$($cfg:tt)*] $visibility:vis $name:ident [$($declared:tt)*] [$($arguments:tt)*] [$($where:tt)*]
        [$($types:tt)*] $must_use:tt
        $shown:tt $kind:ident $seed:tt $line:expr, $column:expr;
        $budget:expr, $behaviour:expr;
        [$($uses:tt)*] $own_identity:ident [$($orders:tt)*]
    ) => {
        $($cfg)*
        #[doc(hidden)]
        #[must_use = $must_use]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        $visibility struct $name $($declared)* $($where)* {
            value: $crate::__private::TaskValue,
            $($types)*
        }

        $($cfg)*
        #[automatically_derived]
        impl $($declared)* $crate::__private::TaskSpec for $name $($arguments)* $($where)* {
            const SPEC: &'static $crate::__private::MemberSpec = &$crate::__private::MemberSpec {
                identity: $crate::__declare_task!(@inline $own_identity $seed $line, $column),
                name: $shown,
                kind: $crate::__private::Kind::$kind,
                budget: $budget,
                uses: &[$($uses)*],
                orders: &[$($orders)*],
                behaviour: $behaviour,
                place: $crate::__private::Place { file: ::core::file!(), line: $line },
            };
            $crate::__declare_task!(@apart $own_identity $seed $line, $column);

            fn into_value(self) -> $crate::__private::TaskValue {
                self.value
            }
        }

        $($cfg)*
        #[automatically_derived]
        impl $($declared)* ::core::fmt::Debug for $name $($arguments)* $($where)* {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::debug(&self.value, formatter)
            }
        }
    };
    (@inline from_table $seed:tt $line:expr, $column:expr) => {
        $crate::__private::Identity::new($seed, ::core::module_path!(), $line, $column)
    };
    (@inline own $seed:tt $line:expr, $column:expr) => {
        <Self as $crate::__private::TaskSpec>::IDENTITY
    };
    (@apart from_table $seed:tt $line:expr, $column:expr) => {};
    (@apart own $seed:tt $line:expr, $column:expr) => {
        const IDENTITY: $crate::__private::Identity =
            $crate::__private::Identity::new($seed, ::core::module_path!(), $line, $column);
    };
}
